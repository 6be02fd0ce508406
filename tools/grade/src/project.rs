//! The term project: the one file of each learner, a runtime of their own, climbs the ladder of `exercises/yours`.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use climb::{Broken, Came, Climb, EXERCISE, FILE, Ladder, NotMine, Raced, known::Known};
use kit::files;

use crate::{
    Error,
    class::{is_archive, is_hidden, visible},
    handout::earlier,
};

pub mod report;
mod rubric;

pub use rubric::Rubric;

/// Where the file may be in a learner's folder: in a copy of the course, of `exercises`, of `yours`, or alone.
const PLACES: [&str; 4] = [
    "exercises/yours/src/runtime.rs",
    "yours/src/runtime.rs",
    "src/runtime.rs",
    "runtime.rs",
];

/// A learner, and the file, or why there is none.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The learner's name.
    pub learner: String,
    /// The file.
    pub file: Result<PathBuf, String>,
}

/// What became of a learner's file.
#[derive(Clone, Debug)]
pub struct Graded {
    /// Whose it is.
    pub learner: String,
    /// How far it came.
    pub state: State,
    /// The race, if it was asked for, or why there was none.
    pub race: Option<Result<Vec<Raced>, String>>,
    /// How long that took.
    pub time: Duration,
}

/// How far a learner's file came.
#[derive(Clone, Debug)]
pub enum State {
    /// It compiles.
    Climbed(Climb),
    /// It doesn't. The compiler's errors.
    DoesNotCompile(String),
    /// The ladder did not come to its end with it, and why.
    Stopped(String),
    /// It is as it was handed out.
    NotStarted,
    /// There is nothing in it.
    Empty,
    /// There is none, and why.
    Missing(String),
}

impl Graded {
    /// How many rungs are passed.
    pub fn passed(&self) -> usize {
        self.climb().map_or(0, |climb| climb.passed)
    }

    /// Of a file that compiles.
    pub(crate) fn climb(&self) -> Option<&Climb> {
        match &self.state {
            State::Climbed(climb) => Some(climb),
            _ => None,
        }
    }

    /// What the rung asks at which it stops, and is not kept.
    pub(crate) fn broken(&self) -> &[Broken] {
        let stops = self.climb().and_then(|climb| climb.rungs.get(climb.passed));
        stops.map_or(&[], |rung| &rung.broken)
    }

    /// The rung of which nothing is written yet, if it stops at one.
    pub(crate) fn unbegun(&self) -> Option<usize> {
        let broken = self.broken();
        let is_unbegun = !broken.is_empty() && broken.iter().all(|of| of.not_kept.is_todo);
        is_unbegun.then(|| self.passed() + 1)
    }

    /// What it keeps differently on purpose: the name, the numbers of the rungs that ask for it, and the reason.
    pub(crate) fn not_mine(&self) -> Vec<(&str, Vec<usize>, &NotMine)> {
        let mut all: Vec<(&str, Vec<usize>, &NotMine)> = Vec::new();
        for rung in self.climb().into_iter().flat_map(|climb| &climb.rungs) {
            for listed in &rung.not_mine {
                match all.iter_mut().find(|(name, ..)| *name == listed.name) {
                    Some((_, rungs, _)) => rungs.push(rung.number),
                    None => all.push((&listed.name, vec![rung.number], listed)),
                }
            }
        }
        all
    }

    /// What its `NOT_MINE` names and no rung asks.
    pub(crate) fn unknown(&self) -> &[String] {
        self.climb().map_or(&[], |climb| &climb.unknown)
    }

    /// Why it comes no further, in a line.
    pub(crate) fn why(&self) -> String {
        let mut why = match &self.state {
            State::Climbed(_) => match (self.unbegun(), self.broken().first()) {
                (Some(rung), _) => format!("rung {rung} is not begun"),
                (None, Some(first)) => format!("{}: {}", first.name, first.not_kept.seen),
                (None, None) => String::new(),
            },
            State::DoesNotCompile(said) => {
                format!(
                    "does not compile: {}",
                    said.lines().next().unwrap_or_default()
                )
            }
            State::Stopped(why) => format!("stopped: {why}"),
            State::NotStarted => "not started".to_owned(),
            State::Empty => "the file is empty".to_owned(),
            State::Missing(why) => format!("missing: {why}"),
        };
        why.retain(|letter| !letter.is_control());
        why
    }
}

/// The answers in a folder: the learner's whose file it holds, or else those of all learners, each in a folder or a file of its own. And
/// what else is there, which is no answer.
///
/// # Errors
///
/// If there is no file at all: that is not to be taken for a class that has written nothing.
pub fn answers(folder: &Path) -> Result<(Vec<Answer>, Vec<String>), Error> {
    let folder = std::path::absolute(folder)?;
    let place = |folder: &Path| {
        let mut places = PLACES.iter().map(|place| folder.join(place));
        places.find(|file| file.is_file())
    };
    let name = |path: &Path| {
        let is_name = |part: &&std::ffi::OsStr| {
            !["exercises", "yours", "src"]
                .iter()
                .any(|folder| part == folder)
        };
        let name = path.iter().rfind(is_name).unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    if let Some(file) = place(&folder) {
        let (learner, file) = (name(&folder), Ok(file));
        return Ok((vec![Answer { learner, file }], Vec::new()));
    }
    let failed = |error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(&folder).map_err(failed)?.flatten();
    let (mut all, mut others) = (Vec::new(), Vec::new());
    for path in entries
        .map(|path| path.path())
        .filter(|path| !is_hidden(path))
    {
        let (learner, file) = if path.is_dir() {
            let file = place(&path).map_or_else(|| elsewhere(&path), Ok);
            (name(&path), file)
        } else if path.extension().is_some_and(|end| end == "rs") {
            (name(&path.with_extension("")), Ok(path))
        } else {
            others.push(name(&path));
            continue;
        };
        all.push(Answer { learner, file });
    }
    all.sort_by(|a, b| (&a.learner, a.file.is_ok()).cmp(&(&b.learner, b.file.is_ok())));
    others.sort();
    if all.iter().all(|answer| answer.file.is_err()) {
        let place = "a folder or a file for each learner, as in anna/runtime.rs or anna.rs";
        return Err(format!(
            "{} holds no file of a learner. It has to hold {place}",
            folder.display()
        )
        .into());
    }
    Ok((all, others))
}

/// The file in a learner's folder, if it isn't at one of its places: that of a copy of the course, or the only one of its name.
///
/// # Errors
///
/// Why there is none, in a line.
fn elsewhere(folder: &Path) -> Result<PathBuf, String> {
    let all = visible(folder);
    let shown = |file: &PathBuf| files::shown(folder, file);
    let copies = all.iter().filter(|file| file.ends_with(PLACES[0]));
    // What is in an update lies deeper.
    if let Some(file) = copies.min_by_key(|file| file.iter().count()) {
        return Ok(file.clone());
    }
    let named: Vec<_> = all
        .iter()
        .filter(|file| file.ends_with(PLACES[3]))
        .collect();
    let is_same = |file: &&&PathBuf| fs::read(file).ok() == fs::read(named[0]).ok();
    if let Some(other) = named.iter().find(|file| !is_same(file)) {
        let (one, other) = (shown(named[0]), shown(other));
        return Err(format!("there are several: {one} and {other}"));
    }
    if let Some(&file) = named.first() {
        return Ok(file.clone());
    }
    let is_rust = |file: &&PathBuf| {
        let end = file.extension().unwrap_or_default();
        end.eq_ignore_ascii_case("rs")
    };
    if let Some(there) = all.iter().find(is_rust) {
        return Err(format!("{} has to be called {}", shown(there), PLACES[3]));
    }
    match all.iter().find(|file| is_archive(file)) {
        Some(archive) => Err(format!("unpack {}", shown(archive))),
        None => Err(format!("there is no {}", PLACES[3])),
    }
}

/// What a learner has written, or why there is nothing to climb with.
fn written(answer: &Answer, starters: &[String]) -> Result<String, State> {
    let file = answer
        .file
        .as_ref()
        .map_err(|why| State::Missing(why.clone()))?;
    let bytes =
        fs::read(file).map_err(|error| State::Missing(format!("it cannot be read: {error}")))?;
    // A file that is not UTF-8 does not compile: the compiler says so, at the replacement.
    let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
    let text = text.trim_start_matches('\u{feff}');
    match text.trim() {
        "" => Err(State::Empty),
        it if starters.iter().any(|starter| it == starter.trim()) => Err(State::NotStarted),
        _ => Ok(text.to_owned()),
    }
}

/// What a learner has written, if it is anything.
pub fn text(answer: &Answer, starters: &[String]) -> Option<String> {
    written(answer, starters).ok()
}

/// The runtimes that the course itself has, in the teacher's folder, by what a table calls them. Somebody may have found them.
///
/// # Errors
///
/// If they can't be read.
pub fn references() -> Result<Vec<(String, String)>, Error> {
    let folder = files::root().join("exercises/teachers/yours");
    let right = Known::read()?.right.into_iter();
    let text = |file: String| {
        let text = files::read(&folder.join(&file))?;
        Ok((format!("the course's {file}"), text))
    };
    right.map(|known| text(known.file)).collect()
}

/// The learner's file as it is handed out.
///
/// # Errors
///
/// If it can't be read.
pub fn starter() -> Result<String, Error> {
    Ok(files::read(&files::root().join(EXERCISE).join(FILE))?)
}

/// The same, and as it was handed out earlier.
///
/// # Errors
///
/// If one can't be read.
pub fn starters() -> Result<Vec<String>, Error> {
    let earlier = earlier::texts(&files::root().join(EXERCISE), FILE)?;
    let earlier = earlier.into_values().flatten();
    Ok([starter()?].into_iter().chain(earlier).collect())
}

/// How many rungs there are. The ladder is built for this, with all that it depends on, and with the starter in the place of a learner's
/// file: what is wrong now is not a learner's fault.
///
/// # Errors
///
/// If the starter can't climb.
pub fn rungs(ladder: &Ladder) -> Result<usize, Error> {
    match ladder.climb(&starter()?)? {
        Came::Climbed(climb) => Ok(climb.of),
        Came::DoesNotCompile(said) => Err(format!("the ladder is not built: {said}").into()),
        Came::Stopped(why) => Err(why.into()),
    }
}

/// Climbs with a learner's file, and races it if that is asked for: quickly, or as long as the learner would.
///
/// # Errors
///
/// If it can't be judged, which is not the learner's fault.
pub fn grade(ladder: &Ladder, answer: &Answer, race: Option<bool>) -> Result<Graded, Error> {
    let start = Instant::now();
    let state = match written(answer, &starters()?) {
        Err(state) => state,
        Ok(text) => match ladder.climb(&text)? {
            Came::Climbed(climb) => State::Climbed(climb),
            Came::DoesNotCompile(said) => State::DoesNotCompile(said),
            Came::Stopped(why) => State::Stopped(why),
        },
    };
    let race = race.filter(|_| matches!(&state, State::Climbed(climb) if climb.passed > 0));
    let race = race.map(|is_quick| ladder.race(is_quick).map_err(|error| error.to_string()));
    Ok(Graded {
        learner: answer.learner.clone(),
        state,
        race,
        time: start.elapsed(),
    })
}
