//! Frees the space that grading a class has taken.

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use climb::scratch;
use grade::Error;

/// Empties the folders in which the answers of a class were built, of this course's copy: `target/grade` and `target/climb`. Reports, what
/// learners have handed in and what was handed out stay.
#[derive(Debug, Parser)]
struct Options {
    /// Other folders of that kind, which you have named with `--build-in`.
    folders: Vec<PathBuf>,
}

fn main() -> ExitCode {
    grade::main(clean)
}

fn clean(options: Options) -> Result<ExitCode, Error> {
    let mut folders = options.folders;
    if folders.is_empty() {
        let own = ["grade", "climb"].map(scratch::default);
        folders.extend(own.into_iter().filter(|folder| folder.exists()));
    }
    let mut is_all = true;
    for folder in folders {
        match scratch::empty(&folder) {
            Ok(bytes) => println!("{}: {:.1} MB freed", folder.display(), bytes as f64 / 1e6),
            Err(why) => {
                eprintln!("{why}");
                is_all = false;
            }
        }
    }
    Ok(ExitCode::from(if is_all { 0 } else { 2 }))
}
