//! Makes what a teacher hands out.

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use grade::{Error, handout};

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
    /// Hand out the solutions, too.
    #[arg(long)]
    solutions: bool,
}

fn main() -> ExitCode {
    grade::main(handout)
}

fn handout(options: Options) -> Result<ExitCode, Error> {
    let template = options.template.as_deref();
    let kind = template.map_or(handout::Kind::Folder, handout::Kind::Template);
    println!(
        "{}",
        handout::make(&options.folder, kind, options.solutions)?
    );
    Ok(ExitCode::SUCCESS)
}
