//! Lists the runtimes that are more alike than two learners make them.

use std::{mem, path::PathBuf, process::ExitCode};

use clap::Parser;
use grade::{
    Error, alike,
    project::{self, Answer},
    report,
};

/// Lists pairs of learners whose runtimes are more alike than the starter and the stages make them, and learners whose runtime is like
/// one of the course's own. Renamed names, other comments and other line breaks hide nothing. It says where to look. Whether something
/// was copied, you decide.
#[derive(Debug, Parser)]
struct Options {
    /// A folder with a folder or a file for each learner, as for `project`.
    folder: PathBuf,
    /// List pairs that have at least this part of the shorter file in common, without what is given.
    #[arg(long, value_name = "PERCENT", default_value_t = 40)]
    above: usize,
}

fn main() -> ExitCode {
    grade::main(alike)
}

/// With fewer words in common, two learners may well have written the same: a `block_on` has some thirty lines.
const ENOUGH: usize = 200;

fn alike(options: Options) -> Result<ExitCode, Error> {
    let (answers, _) = project::answers(&options.folder)?;
    let (starter, starters) = (project::starter()?, project::starters()?);
    let text = |answer: &Answer| Some((answer.learner.clone(), project::text(answer, &starters)?));
    let mut all: Vec<_> = answers.iter().filter_map(text).collect();
    let count = all.len();
    all.extend(project::references()?);
    let (names, texts): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    let mut pairs = alike::pairs(&starter, &alike::stages()?, &texts);
    // Our own runtimes come after the learners'. Of those, the most alike is enough for each learner.
    let mut of_ours = vec![false; count];
    pairs.retain(|it| {
        let [learner, other] = it.answers;
        let is_listed = it.percent >= options.above && it.words >= ENOUGH && learner < count;
        is_listed && (other < count || !mem::replace(&mut of_ours[learner], true))
    });
    print!("{}", report::alike(&names, &pairs));
    let found = pairs.len();
    let above = options.above;
    println!("{count} files: {found} pairs have {above} % or more in common.");
    Ok(ExitCode::SUCCESS)
}
