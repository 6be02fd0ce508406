//! What a learner's folder holds.

use std::{fs, path::Path};

use crate::{
    Exercise, Set, Trouble,
    grading::Tests,
    split::{at_tests, test_names, with_tests},
};

/// A learner's file, with the tests that judge it.
pub(crate) struct Entry {
    pub(crate) exercise: Exercise,
    /// Nothing: the file is missing.
    pub(crate) text: Option<String>,
    /// Which tests must have run. Nothing: at least one.
    pub(crate) tests: Option<Vec<String>>,
}

/// A wrong folder is not to be taken for a learner who has written nothing.
pub(crate) fn has_some(set: &Set, folder: &Path) -> Result<(), Trouble> {
    let has_some = |folder: &Path| {
        let mut files = set
            .exercises
            .iter()
            .map(|exercise| set.exercise(&exercise.name));
        files.any(|file| folder.join(file).is_file())
    };
    if has_some(folder) {
        return Ok(());
    }
    let at = folder.display();
    if !folder.is_dir() {
        return Err(Trouble::Usage(format!("there is no folder {at}")));
    }
    let below = folder.join("exercises");
    let near = [Some(&*below), folder.parent()].into_iter().flatten();
    let meant = near
        .filter(|folder| folder.as_os_str() != "")
        .find(|folder| has_some(folder));
    let meant = meant.map(|folder| format!("; did you mean {}?", folder.display()));
    let text = format!(
        "{at} holds none of the exercises{}",
        meant.unwrap_or_default()
    );
    Err(Trouble::Usage(text))
}

/// Reads the learner's file of an exercise.
pub(crate) fn entry(
    set: &Set,
    folder: &Path,
    tests: &Tests,
    exercise: &Exercise,
) -> Result<Entry, Trouble> {
    let file = set.exercise(&exercise.name);
    let path = folder.join(&file);
    let mut entry = Entry {
        exercise: exercise.clone(),
        text: None,
        tests: None,
    };
    if !path.is_file() {
        return Ok(entry);
    }
    // A file that is not UTF-8 does not compile: the compiler says so, at the replacement.
    let text = String::from_utf8_lossy(&fs::read(&path)?).replace("\r\n", "\n");
    let held_out = match tests {
        Tests::AsWritten => {
            entry.text = Some(text);
            return Ok(entry);
        }
        Tests::Visible => None,
        Tests::HeldOut(folder) => {
            let path = folder.join(format!("{}.rs", exercise.name));
            path.is_file()
                .then(|| fs::read_to_string(path))
                .transpose()?
        }
    };
    let put = match held_out {
        Some(tests) => tests.replace("\r\n", "\n"),
        None => at_tests(&set.read(&file)?).1.to_owned(),
    };
    entry.text = Some(with_tests(at_tests(&text).0, &put));
    entry.tests = Some(test_names(&put));
    Ok(entry)
}
