//! Lists the runtimes, or the answers to exercises, that are more alike than two learners make them.

use std::{mem, path::PathBuf, process::ExitCode};

use clap::Parser;
use grade::{
    Error, Set, alike, class,
    project::{self, Answer},
};

/// Lists pairs of learners whose runtimes are more alike than the starter and the stages make them, and learners whose runtime is like
/// one of the course's own. With `--exercises`, it compares the answers to the exercises instead. Renamed names, other comments and
/// other line breaks hide nothing. It says where to look. Whether something was copied, you decide.
#[derive(Debug, Parser)]
struct Options {
    /// A folder with a folder or a file for each learner, as for `project`, or with `--exercises`, folders as for `grade`.
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// List pairs that have at least this part of the shorter file in common, without what is given. Otherwise 40 %, and 70 % of the answers
    /// to exercises, which are shorter.
    #[arg(long, value_name = "PERCENT")]
    above: Option<usize>,
    /// Compare the answers to the exercises.
    #[arg(long)]
    exercises: bool,
    /// Only these exercises and chapters, as in `s01,s03a`.
    #[arg(long, value_name = "NAMES", default_value = "", requires = "exercises")]
    only: String,
    /// The course's own copy of the set. Otherwise that beside this program's source.
    #[arg(long, value_name = "DIR", requires = "exercises")]
    set: Option<PathBuf>,
}

fn main() -> ExitCode {
    grade::main(alike)
}

/// With fewer words in common, two learners may well have written the same: a `block_on` has some thirty lines.
const ENOUGH: usize = 200;
/// The same for the answers to all exercises together.
const ENOUGH_OF_EXERCISES: usize = 100;
/// Or so many comments.
const COMMENTS: usize = 2;

fn alike(options: Options) -> Result<ExitCode, Error> {
    if options.exercises {
        exercises(&options)
    } else {
        runtimes(&options)
    }
}

fn exercises(options: &Options) -> Result<ExitCode, Error> {
    let set = Set::open(options.set.clone())?;
    let (learners, _) = class::learners(&set, &options.folders)?;
    let set = set.only(&options.only)?;
    let mut pairs = alike::exercises::pairs(&set, &learners)?;
    let above = options.above.unwrap_or(70);
    let is_part = |both: &alike::exercises::Both| {
        both.words >= ENOUGH_OF_EXERCISES && 100 * both.words >= above * both.of
    };
    pairs.retain(|both| both.comments >= COMMENTS || is_part(both));
    let names: Vec<_> = learners
        .iter()
        .map(|learner| learner.name.clone())
        .collect();
    print!("{}", alike::table::of_exercises(&names, &pairs));
    println!(
        "{} learners, pairs with {above} % or more in common, or {COMMENTS} comments: {}.",
        names.len(),
        pairs.len()
    );
    Ok(ExitCode::SUCCESS)
}

fn runtimes(options: &Options) -> Result<ExitCode, Error> {
    let above = options.above.unwrap_or(40);
    let [folder] = &options.folders[..] else {
        return Err("of runtimes, compare one folder at a time".into());
    };
    let (answers, _) = project::answers(folder)?;
    let (starter, starters) = (project::starter()?, project::starters()?);
    let text = |answer: &Answer| Some((answer.learner.clone(), project::text(answer, &starters)?));
    let mut all: Vec<_> = answers.iter().filter_map(text).collect();
    let count = all.len();
    all.extend(project::references()?);
    let (names, texts): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    let mut pairs = alike::pairs(&starter, &alike::stages()?, &texts);
    // Our own runtimes come after the learners'. Of those, the most alike is enough for each learner.
    let mut of_ours = vec![false; count];
    pairs.retain(|pair| {
        let [learner, other] = pair.answers;
        let is_listed = pair.percent >= above && pair.words >= ENOUGH && learner < count;
        is_listed && (other < count || !mem::replace(&mut of_ours[learner], true))
    });
    print!("{}", alike::table::of_runtimes(&names, &pairs));
    let found = pairs.len();
    println!("{count} files, pairs with {above} % or more in common: {found}.");
    Ok(ExitCode::SUCCESS)
}
