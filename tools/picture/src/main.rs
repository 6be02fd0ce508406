//! Draws the pictures of runs: see `--help`.

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;

/// Makes the players of the book out of book/recordings, or a page of your own recording
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// What `WHY_PENDING_TRACE=FILE` has written: makes FILE.html, to step through
    #[arg(conflicts_with = "write")]
    trace: Option<PathBuf>,
    /// Write what differs into book/src/pictures; without it, say what is stale, with status 1
    #[arg(long)]
    write: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let (done, status) = match options.trace {
        Some(file) => (picture::show(&file).map(Some), 2),
        None => (check(options.write).map(|()| None), 1),
    };
    match done {
        Ok(page) => {
            page.inspect(|page| println!("{}: open it in a browser", page.display()));
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("picture: {why}");
            ExitCode::from(status)
        }
    }
}

fn check(write: bool) -> Result<(), String> {
    let found = picture::complaints(write)?;
    if found.is_empty() {
        Ok(())
    } else {
        Err(found.join("\n"))
    }
}
