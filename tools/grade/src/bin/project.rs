//! Grades the term project.

use std::{path::PathBuf, process::ExitCode, time::Duration};

use clap::Parser;
use climb::{Ladder, Limits};
use grade::{
    Error,
    project::{self, Rubric, report},
};

/// Grades the term project, a runtime of the learners' own: the file of each learner climbs the ladder of `exercises/yours`. Nothing is
/// written into the folder.
#[derive(Debug, Parser)]
struct Options {
    /// A folder with a folder or a file for each learner, as in `anna/runtime.rs` or `anna.rs`, or the folder of one learner.
    folder: PathBuf,
    /// Your own copy of `exercises/teachers/yours/rubric.toml`: what a rung counts, and what you decide for single learners.
    #[arg(long, value_name = "FILE")]
    rubric: Option<PathBuf>,
    /// Race each runtime beside tokio, too. It needs a machine that does nothing else.
    #[arg(long)]
    race: bool,
    /// Race with a tenth of the work and fewer rounds.
    #[arg(long, requires = "race")]
    quick: bool,
    /// Where to write `project.md`, `project.csv`, and `project-feedback` with a file for each learner.
    #[arg(short, long, value_name = "DIR", default_value = "report")]
    output: PathBuf,
    /// Where to build. Otherwise `target/climb` of the course.
    #[arg(long, value_name = "DIR")]
    build_in: Option<PathBuf>,
    /// How long one climb may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    limit: u64,
    /// How long the compiler may compute for one file. Not on Windows.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    compiler_limit: u32,
}

fn main() -> ExitCode {
    grade::main(grade)
}

fn grade(options: Options) -> Result<ExitCode, Error> {
    let (answers, others) = project::answers(&options.folder)?;
    if !others.is_empty() {
        eprintln!("not a learner's file, and left out: {}", others.join(", "));
    }
    let rubric = Rubric::open(options.rubric.as_deref())?;
    let limits = Limits {
        compiler: options.compiler_limit,
        climb: Duration::from_secs(options.limit),
    };
    let ladder = Ladder::enter(options.build_in, limits)?;
    let learners: Vec<_> = answers.iter().map(|answer| &*answer.learner).collect();
    rubric.fits(project::rungs(&ladder)?, &learners)?;
    let mut graded = Vec::new();
    for answer in &answers {
        let it = project::grade(&ladder, answer, options.race.then_some(options.quick))?;
        // A class takes minutes.
        eprintln!(
            "{}: {} rungs, {:.0} s",
            it.learner,
            it.passed(),
            it.time.as_secs_f64()
        );
        graded.push(it);
    }
    report::write(&graded, &rubric, &options.output)?;
    print!("{}", report::summary(&graded, &rubric));
    println!("The report is in {}.", options.output.display());
    Ok(ExitCode::SUCCESS)
}
