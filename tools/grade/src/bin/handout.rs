//! Makes what a teacher hands out.

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use grade::{
    Error,
    handout::{self, Host},
};
use kit::files;

/// Makes a copy of the course for learners, without the solutions and without what is the teacher's. It needs no network: the
/// libraries and the built book are in it. Nothing else is touched.
#[derive(Debug, Parser)]
struct Options {
    /// The folder to make. It must not exist.
    folder: PathBuf,
    /// Make the template of the learners' repositories instead: without the libraries, and with the workflow that grades each push.
    /// It gets the course from there.
    #[arg(long, value_name = "OWNER/COURSE")]
    template: Option<String>,
    /// The code host of that template.
    #[arg(long, value_enum, default_value_t = Host::Github, requires = "template")]
    host: Host,
    /// Make an update instead, which brings the copies that were handed out earlier up to date, and touches nothing that a learner has
    /// written.
    #[arg(long, conflicts_with = "template")]
    update: bool,
    /// Hand out the solutions, too.
    #[arg(long)]
    solutions: bool,
    /// The course to hand out. Otherwise the one that this program's source is in.
    #[arg(long, value_name = "DIR")]
    course: Option<PathBuf>,
}

fn main() -> ExitCode {
    grade::main(handout)
}

fn handout(options: Options) -> Result<ExitCode, Error> {
    let template = options.template.as_deref();
    let kind = match template {
        Some(repository) => handout::Kind::Template(repository, options.host),
        None if options.update => handout::Kind::Update,
        None => handout::Kind::Folder,
    };
    let course = options.course.unwrap_or_else(files::root);
    let said = handout::make(&course, &options.folder, kind, options.solutions)?;
    println!("{said}");
    Ok(ExitCode::SUCCESS)
}
