//! Grades a learner's copy of the exercises.

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use grade::{
    Set, Trouble,
    grading::{self, Tests},
    one_test, own_set, report,
    scratch::Place,
};

/// Grades a learner's copy of the exercises. Nothing is written into it.
#[derive(Debug, Parser)]
struct Options {
    /// The learner's copy of `exercises/`.
    #[arg(default_value = "exercises")]
    folder: PathBuf,
    /// Put the tests of this folder in place of the visible ones.
    #[arg(long, value_name = "DIR", conflicts_with = "as_written")]
    held_out: Option<PathBuf>,
    /// Keep the tests as they stand in the learner's copy.
    #[arg(long)]
    as_written: bool,
    /// Where to write `summary.md`, `summary.csv` and `junit.xml`.
    #[arg(short, long, value_name = "DIR", default_value = "report")]
    output: PathBuf,
    /// End with status 1 if there are fewer points.
    #[arg(long, value_name = "POINTS")]
    fail_under: Option<u32>,
    /// The course's own copy of the set, with the catalogue. Otherwise that beside this program's source.
    #[arg(long, value_name = "DIR")]
    set: Option<PathBuf>,
    /// Where to build. Otherwise `grade` in the course's target folder.
    #[arg(long, value_name = "DIR")]
    build_in: Option<PathBuf>,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if arguments
        .next()
        .is_some_and(|first| first == one_test::AS_RUNNER)
    {
        return one_test::run(arguments);
    }
    grade(Options::parse()).unwrap_or_else(|trouble| {
        eprintln!("grade: {trouble}");
        trouble.status()
    })
}

fn grade(options: Options) -> Result<ExitCode, Trouble> {
    let set = Set::open(&options.set.unwrap_or_else(own_set))?;
    let tests = match options.held_out {
        Some(folder) if !folder.is_dir() => {
            let text = format!("there is no folder {}", folder.display());
            return Err(Trouble::Usage(text));
        }
        Some(folder) => Tests::HeldOut(folder),
        None if options.as_written => Tests::AsWritten,
        None => Tests::Visible,
    };
    let mut place = Place::new(options.build_in)?;
    let rows = grading::grade(&set, &options.folder, &tests, &mut place)?;
    report::write(&rows, &options.output)?;
    print!("{}", report::summary(&rows));
    println!("The report is in {}.", options.output.display());
    let (got, _) = report::points(&rows);
    Ok(match options.fail_under {
        Some(points) if got < points => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    })
}
