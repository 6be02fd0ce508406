//! Says what the course lacks and where it disagrees with itself, and writes what can be derived.

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use course::{Project, browser, complaints, derived, errors};

/// Is the course whole, and does it agree with itself? Without an option, prints what is wrong.
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// Write what is derived: README's table, aliases, SUMMARY, tables of exercises, minutes, machines, whole stages
    #[arg(long)]
    write: bool,
    /// Write the compiler's messages that the book shows, by the rustc that is installed
    #[arg(long, conflicts_with = "write")]
    errors: bool,
    /// Write pictures of each page of the built book into this folder: both themes, wide and narrow
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["write", "errors"])]
    screenshots: Option<PathBuf>,
    /// Only of pages with this in their name; may be given several times
    #[arg(long, value_name = "NAME", requires = "screenshots")]
    page: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("course: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> std::io::Result<ExitCode> {
    let project = Project::read(&kit::files::root())?;
    if let Some(folder) = &options.screenshots {
        let pages = browser::pages(&project);
        let unknown = |name: &&String| !pages.iter().any(|it| it.contains(name.as_str()));
        if let Some(name) = options.page.iter().find(unknown) {
            eprintln!(
                "course: no page has {name:?} in its name: book/src/SUMMARY.md names them all"
            );
            return Ok(ExitCode::from(2));
        }
        let count = browser::screenshots(&project, folder, &options.page)?;
        println!("{count} pictures in {}", folder.display());
        return Ok(ExitCode::SUCCESS);
    }
    let found = if options.errors {
        errors::complaints(&project, true)?
    } else if options.write {
        derived::stale(&project, true)
    } else {
        complaints(&project)
    };
    found.iter().for_each(|it| println!("{it}"));
    Ok(match found.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
