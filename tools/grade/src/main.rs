//! Grades a learner's copy of the exercises.

use std::{env, path::PathBuf, process::ExitCode, time::Duration};

use clap::Parser;
use grade::{Error, Set, compiler, grading, options, own_set, package::BuildFolder, report};

/// Grades a learner's copy of the exercises. Nothing is written into it.
#[derive(Debug, Parser)]
struct Options {
    /// The learner's copy of `exercises/`.
    folder: PathBuf,
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
    /// How long the compiler of one exercise may take.
    #[arg(long, value_name = "SECONDS", default_value_t = compiler::USUAL_LIMIT.as_secs())]
    compiler_limit: u64,
}

fn main() -> ExitCode {
    if let Some(limit) = compiler::asked() {
        return compiler::run(env::args_os().skip(1), limit);
    }
    options().and_then(grade).unwrap_or_else(|error| {
        eprintln!("grade: {error}");
        error.status()
    })
}

fn grade(options: Options) -> Result<ExitCode, Error> {
    let set = Set::open(&options.set.unwrap_or_else(own_set))?;
    grading::check(&set, &options.folder)?;
    let compiler_limit = Duration::from_secs(options.compiler_limit);
    let folder = BuildFolder::enter(options.build_in, compiler_limit)?;
    let rows = grading::grade(&set, &options.folder, &folder)?;
    report::write(&rows, &options.output)?;
    print!("{}", report::summary(&rows));
    println!("The report is in {}.", options.output.display());
    let (got, _) = report::points(&rows);
    Ok(match options.fail_under {
        Some(points) if got < points => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    })
}
