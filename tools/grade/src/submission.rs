//! What a learner has written, put together with the tests that judge it.

use std::{
    fs,
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
    /// The file's text, with those tests. `None` if there is no file.
    pub text: Option<String>,
    /// Which tests must have run. `None`: at least one.
    pub must_run: Option<Vec<String>>,
}

/// Reads the learner's copy of the set in `folder`.
///
/// # Errors
///
/// If the folder holds none of the exercises: it is not to be taken for that of a learner who has written nothing.
pub fn read(set: &Set, folder: &Path, tests: &Tests) -> Result<Vec<Submission>, Error> {
    has_some(set, folder)?;
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

fn submission(
    set: &Set,
    folder: &Path,
    tests: &Tests,
    exercise: &Exercise,
) -> Result<Submission, Error> {
    let file = set.exercise(&exercise.name);
    let path = folder.join(&file);
    let mut submission = Submission {
        exercise: exercise.clone(),
        text: None,
        must_run: None,
    };
    if !path.is_file() {
        return Ok(submission);
    }
    // A file that is not UTF-8 does not compile: the compiler says so, at the replacement.
    let text = String::from_utf8_lossy(&fs::read(&path)?).replace("\r\n", "\n");
    let held_out = match tests {
        Tests::AsWritten => {
            submission.text = Some(text);
            return Ok(submission);
        }
        Tests::Visible => None,
        Tests::HeldOut(folder) => {
            let path = folder.join(format!("{}.rs", exercise.name));
            path.is_file().then(|| files::read(&path)).transpose()?
        }
    };
    let tests = match held_out {
        Some(tests) => tests,
        None => at_tests(&set.read(&file)?).1.to_owned(),
    };
    submission.text = Some(with_tests(at_tests(&text).0, &tests));
    submission.must_run = Some(test_names(&tests));
    Ok(submission)
}
