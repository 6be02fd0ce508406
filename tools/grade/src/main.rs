//! Grades a learner's copy of the exercises.

use std::{env, path::PathBuf, process::ExitCode};

use clap::Parser;
use grade::{Error, Package, Set, earlier, grading, report};

/// Grades a learner's copy of the exercises, or a folder of learners. Nothing is written into it.
#[derive(Debug, Parser)]
struct Options {
    /// The learner's copy of `exercises/`, or a folder with a folder for each learner.
    folder: PathBuf,
    /// Only these exercises and chapters, as in `s01,s03a`.
    #[arg(long, value_name = "NAMES", default_value = "")]
    only: String,
    /// Where to write `summary.md`, `summary.csv`, `marks.csv`, `junit.xml`, and `feedback` with a file for each learner.
    #[arg(short, long, value_name = "DIR", default_value = "report")]
    output: PathBuf,
    /// End with status 1 if a learner has a smaller part of the points.
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    fail_under: u32,
    /// The course's own copy of the set. Otherwise that beside this program's source.
    #[arg(long, value_name = "DIR")]
    set: Option<PathBuf>,
    /// Where to build. Otherwise `target/grade` of the course.
    #[arg(long, value_name = "DIR")]
    build_in: Option<PathBuf>,
    /// How long the compiler of one exercise may compute. Not on Windows.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    compiler_limit: u32,
}

fn main() -> ExitCode {
    grade::main(grade)
}

fn grade(options: Options) -> Result<ExitCode, Error> {
    let set = Set::open(options.set)?;
    let learners = grading::learners(&set, &options.folder)?;
    let set = set.only(&options.only)?;
    let package = Package::enter(options.build_in, options.compiler_limit)?;
    let rows = grading::grade(&set, &learners, &package)?;
    let points: Vec<_> = rows.iter().map(|it| report::points(it)).collect();
    let versions = earlier::versions(&learners);
    let graded: Vec<_> = learners.into_iter().map(|it| it.0).zip(rows).collect();
    report::write(&set, &graded, &options.output)?;
    print!("{}", report::summary(&graded));
    print!("{versions}");
    println!("The report is in {}.", options.output.display());
    // The two notes from which GitHub Classroom reads a score.
    if let ([(got, all)], Some(_)) = (&points[..], env::var_os("GITHUB_ACTIONS")) {
        println!("::notice title=Autograding complete::Points {got}/{all}");
        let score = format!(r#"{{"totalPoints":{got},"maxPoints":{all}}}"#);
        println!("::notice title=Autograding report::{score}");
    }
    let has_failed = |(got, all): &(u32, u32)| got * 100 < all * options.fail_under;
    Ok(ExitCode::from(u8::from(points.iter().any(has_failed))))
}
