//! The set of exercises, as the course has it.

use std::path::PathBuf;

use course::{Exercise, exercise};
use kit::files;

use crate::Error;

/// The set of exercises, or a part of it.
#[derive(Debug)]
pub struct Set {
    /// Where it is.
    pub folder: PathBuf,
    /// Its exercises, in their order.
    pub exercises: Vec<Exercise>,
}

impl Set {
    /// The set in this folder. Without one, the course's own.
    pub fn open(folder: Option<PathBuf>) -> Result<Set, Error> {
        let folder = folder.unwrap_or_else(|| files::root().join("exercises"));
        // Compilers and Markdown want no Windows prefix, which `canonicalize` would bring.
        let folder = std::path::absolute(folder)?;
        let list = folder.join("info.toml");
        let exercises = exercise::exercises(&files::read(&list)?)
            .map_err(|why| format!("{}:{why}", list.display()))?;
        Ok(Set { folder, exercises })
    }

    /// The exercises of a selection: names such as `s03a`, and chapters such as `s03`. All of them without a selection. A
    /// part that selects nothing is an error.
    pub fn only(mut self, selection: &str) -> Result<Set, Error> {
        if selection.trim().is_empty() {
            return Ok(self);
        }
        let parts: Vec<&str> = selection.split(',').map(str::trim).collect();
        let selects = |part: &str, exercise: &Exercise| {
            let chapter = format!("s{}", exercise.chapter());
            [&*chapter, exercise.short(), &exercise.name].contains(&part)
        };
        for part in &parts {
            if !self.exercises.iter().any(|one| selects(part, one)) {
                let how = "write as in `s01,s03a`";
                return Err(format!("no exercise is selected by `{part}`: {how}").into());
            }
        }
        let is_in = |one: &Exercise| parts.iter().any(|part| selects(part, one));
        self.exercises.retain(is_in);
        Ok(self)
    }

    /// The file of an exercise as it is handed out.
    pub(crate) fn starter(&self, exercise: &Exercise) -> Result<String, Error> {
        self.read(&format!("exercises/{}", exercise.file()))
    }

    /// The text of a file, with line ends as on Unix.
    pub fn read(&self, file: &str) -> Result<String, Error> {
        Ok(files::read(&self.folder.join(file))?)
    }
}

/// The lines that end each file of an exercise: they say where its tests are.
pub(crate) fn foot(exercise: &Exercise) -> String {
    let path = format!("../../checks/{}.rs", exercise.name);
    format!("#[cfg(test)]\n#[path = \"{path}\"]\nmod tests;\n")
}

#[cfg(test)]
#[test]
fn a_part_that_selects_nothing_is_an_error() {
    let only = |selection: &str| Ok::<_, Error>(Set::open(None)?.only(selection)?.exercises.len());
    assert_eq!(only("s03a, s04b").unwrap(), 2);
    assert!(only(" ").unwrap() > 2);
    for selection in [",", "s03a,", "s99"] {
        let error = only(selection).unwrap_err().to_string();
        assert!(error.starts_with("no exercise is selected by `"), "{error}");
    }
}
