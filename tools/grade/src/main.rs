//! Grades a learner's copy of the exercises.

use std::{env, path::PathBuf, process::ExitCode};

use clap::Parser;
use grade::{Error, Package, Set, class, decisions::Decisions, grading, handout::earlier, report};

/// Grades a learner's copy of the exercises, or folders of learners. Nothing is written into them.
#[derive(Debug, Parser)]
struct Options {
    /// The learner's copy of `exercises/`, or a folder with a folder for each learner. Of several, what was handed in last counts.
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// Only these exercises and chapters, as in `s01,s03a`.
    #[arg(long, value_name = "NAMES", default_value = "")]
    only: String,
    /// Where to write `summary.md`, `summary.csv`, `marks.csv`, `junit.xml`, and `feedback` with a file for each learner.
    #[arg(short, long, value_name = "DIR", default_value = "report")]
    output: PathBuf,
    /// Files of yours with what you decide for single learners. `exercises/teachers/README.md` has one.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    decisions: Vec<PathBuf>,
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
    let (learners, others) = class::learners(&set, &options.folders)?;
    if !others.is_empty() {
        eprintln!(
            "in no learner's folder, and left out: {}",
            others.join(", ")
        );
    }
    let set = set.only(&options.only)?;
    let decisions = Decisions::open(&options.decisions)?;
    decisions.fits(&set, &learners)?;
    if learners.len() > 1 {
        let (count, of) = (set.exercises.len(), learners.len());
        eprintln!("{count} exercises of {of} learners: a table follows when all are graded");
    }
    let package = Package::enter(options.build_in, options.compiler_limit)?;
    let mut graded = grading::grade(&set, &learners, &package)?;
    decisions.apply(&mut graded);
    report::write(&set, &graded, &decisions, &options.output)?;
    print!("{}", report::summary(&graded, &decisions));
    print!("{}", earlier::versions(&learners));
    println!("The report is in {}.", options.output.display());
    let points = graded.iter().map(|row| decisions.total(row));
    let points: Vec<_> = points.collect();
    // The two notes from which GitHub Classroom reads a score.
    if let ([(got, all)], Some(_)) = (&points[..], env::var_os("GITHUB_ACTIONS")) {
        println!("::notice title=Autograding complete::Points {got}/{all}");
        let score = format!(r#"{{"totalPoints":{got},"maxPoints":{all}}}"#);
        println!("::notice title=Autograding report::{score}");
    }
    let has_failed = |(got, all): &(i64, u32)| got * 100 < i64::from(all * options.fail_under);
    Ok(ExitCode::from(u8::from(points.iter().any(has_failed))))
}
