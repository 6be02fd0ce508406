//! Climbs with all that the teacher's folder has, and says which file doesn't come as far as it must.

use std::{process::ExitCode, time::Instant};

use clap::Parser;
use climb::{
    Came, Error, Ladder, Limits,
    known::{Known, Right, Wrong},
};
use kit::files;

/// The ladder of `exercises/yours`, climbed with files that are right and files that are wrong
#[derive(Debug, Parser)]
struct Options {
    /// Only files whose name has one of these in it
    names: Vec<String>,
    /// Only the ladder's own tests, the starter, and a file or two for each rung
    #[arg(long, conflicts_with = "names")]
    quick: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match climb(&options) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// How many files are not as they must be.
fn climb(options: &Options) -> Result<usize, Error> {
    let known = Known::read()?;
    let ladder = Ladder::enter(None, Limits::default())?;
    let is_asked = |name: &str, quick: bool| match &options.names[..] {
        [] => quick || !options.quick,
        names => names.iter().any(|part| name.contains(part.as_str())),
    };
    let mut bad = 0;
    let mut show = |name: &str, check: &dyn Fn() -> Result<Option<String>, Error>| {
        let start = Instant::now();
        let result = check().unwrap_or_else(|error| Some(error.to_string()));
        let seconds = start.elapsed().as_secs_f32();
        match &result {
            None => println!("{name:44} as it must be   {seconds:.1} s"),
            Some(what) => println!("{name:44} NOT as it must be   {seconds:.1} s\n    {what}"),
        }
        bad += usize::from(result.is_some());
    };
    if is_asked("ladder", true) {
        show("the ladder's own tests", &|| ladder.test(&handed_out()?));
    }
    if is_asked("starter", true) {
        show("the starter", &|| starter(&ladder));
    }
    for right in known
        .right
        .iter()
        .filter(|right| is_asked(&right.file, right.quick))
    {
        let Right { file, rungs, .. } = right;
        show(&format!("{file}: {rungs}"), &|| right.check(&ladder));
    }
    for wrong in known
        .wrong
        .iter()
        .filter(|wrong| is_asked(&wrong.name, wrong.quick))
    {
        let Wrong { name, rung, .. } = wrong;
        show(&format!("{name}: red at {rung}"), &|| wrong.check(&ladder));
    }
    Ok(bad)
}

/// The learner's file as it is handed out.
fn handed_out() -> Result<String, Error> {
    let file = files::root().join(climb::EXERCISE).join(climb::FILE);
    Ok(files::read(&file)?)
}

/// It climbs nothing, and promises nothing.
fn starter(ladder: &Ladder) -> Result<Option<String>, Error> {
    Ok(match ladder.climb(&handed_out()?)? {
        Came::Climbed(climb) if (climb.passed, climb.reached) == (0, 0) => None,
        came => Some(format!("{came:?}")),
    })
}
