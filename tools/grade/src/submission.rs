//! What a learner has written, put together with the tests that judge it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use kit::files;

use crate::{
    Error, Exercise, Set,
    split::{at_tests, test_names, with_tests},
};

/// Which tests judge the learner's part of a file.
#[derive(Clone, Debug)]
pub enum Tests {
    /// Those of the set, whatever became of them in the learner's copy.
    Visible,
    /// Those in this folder. Where it has none for an exercise, those of the set.
    HeldOut(PathBuf),
    /// Those of the learner.
    AsWritten,
}

/// A learner's file, with the tests that judge it.
#[derive(Debug)]
pub struct Submission {
    /// The exercise that it is for.
    pub exercise: Exercise,
    /// The file's text, with those tests, or why there is none.
    pub text: Result<String, String>,
    /// Which tests must have run. `None`: at least one.
    pub must_run: Option<Vec<String>>,
    /// Whether the visible tests judge since there are no held-out ones.
    pub fell_back: bool,
}

/// Reads the learner's copy of the set in `folder`.
///
/// # Errors
///
/// If the folder holds none of the exercises: it is not to be taken for that of a learner who has written nothing. Or if
/// the folder with the held-out tests holds none: it is not to be taken for one that leaves all to the visible tests.
pub fn read(set: &Set, folder: &Path, tests: &Tests) -> Result<Vec<Submission>, Error> {
    has_some(set, folder)?;
    if let Tests::HeldOut(folder) = tests {
        has_some_held_out(set, folder)?;
    }
    let exercises = set.exercises.iter();
    exercises
        .map(|exercise| submission(set, folder, tests, exercise))
        .collect()
}

fn has_some(set: &Set, folder: &Path) -> Result<(), Error> {
    let has_some = |folder: &Path| {
        let mut names = set.exercises.iter().map(|exercise| &exercise.name);
        names.any(|name| folder.join(set.exercise(name)).is_file())
    };
    if has_some(folder) {
        return Ok(());
    }
    let at = folder.display();
    if !folder.is_dir() {
        return Err(Error::Usage(format!("there is no folder {at}")));
    }
    let below = folder.join("exercises");
    let near = [Some(&*below), folder.parent()].into_iter().flatten();
    let meant = near
        .filter(|folder| folder.as_os_str() != "")
        .find(|folder| has_some(folder))
        .map(|folder| format!("; did you mean {}?", folder.display()));
    let text = format!("{at} holds none of the exercises");
    Err(Error::Usage(text + &meant.unwrap_or_default()))
}

fn has_some_held_out(set: &Set, folder: &Path) -> Result<(), Error> {
    let at = folder.display();
    let mut exercises = set.exercises.iter();
    if exercises.any(|exercise| held_out_in(folder, &exercise.name).is_file()) {
        Ok(())
    } else if folder.is_dir() {
        let text = format!("{at} holds held-out tests of none of the exercises: no NAME.rs");
        Err(Error::Usage(text))
    } else {
        Err(Error::Usage(format!("there is no folder {at}")))
    }
}

fn held_out_in(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.rs"))
}

fn submission(
    set: &Set,
    folder: &Path,
    tests: &Tests,
    exercise: &Exercise,
) -> Result<Submission, Error> {
    let file = set.exercise(&exercise.name);
    let path = folder.join(&file);
    // A file that is not UTF-8 does not compile: the compiler says so, at the replacement.
    let text = match fs::read(&path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err("there is no such file".to_owned())
        }
        Err(error) => Err(format!("it cannot be read: {error}")),
    };
    let mut submission = Submission {
        exercise: exercise.clone(),
        text,
        must_run: None,
        fell_back: false,
    };
    let held_out = match tests {
        Tests::AsWritten => return Ok(submission),
        Tests::Visible => None,
        Tests::HeldOut(folder) => {
            let path = held_out_in(folder, &exercise.name);
            let held_out = path.is_file().then(|| files::read(&path)).transpose()?;
            submission.fell_back = held_out.is_none();
            held_out
        }
    };
    let tests = match held_out {
        Some(tests) => tests,
        None => at_tests(&set.read(&file)?).1.to_owned(),
    };
    submission.text = submission
        .text
        .map(|text| with_tests(at_tests(&text).0, &tests));
    submission.must_run = Some(test_names(&tests));
    Ok(submission)
}
