//! The set of exercises: what the catalogue says of each, and where its files are.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use kit::{
    exercise::{self, Head},
    files,
};
use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    Error,
    wrong::{self, Wrong},
};

/// The set of exercises, as the course has it.
#[derive(Debug)]
pub struct Set {
    /// Where it is.
    pub folder: PathBuf,
    /// What the catalogue, `class/catalogue.toml`, says.
    pub exercises: Vec<Exercise>,
}

/// One exercise, as the catalogue has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// The name of the file and of the program, such as `s04c_queued_once`.
    pub name: String,
    /// What a reader calls it.
    pub title: String,
    /// What a solution is worth.
    pub points: u32,
    /// A piece of text that the starter's failure shows.
    pub red: String,
    /// The steps of the hint: in which direction to look, at which place, and the shape of the answer.
    pub hints: [String; 3],
    /// What the first line of its file says.
    #[serde(skip)]
    pub head: Head,
    /// Its file, in the folders of the exercises and of the solutions.
    #[serde(skip)]
    pub file: String,
    /// Wrong answers that learners give.
    #[serde(skip)]
    pub wrong: Vec<Wrong>,
}

impl Exercise {
    /// The lines that end each of its files: they say where its tests are.
    pub fn foot(&self) -> String {
        let path = format!("../../checks/{}.rs", self.name);
        format!("#[cfg(test)]\n#[path = \"{path}\"]\nmod tests;\n")
    }
}

impl Set {
    /// Reads the catalogue and the pages of wrong answers, and looks where the files are.
    ///
    /// # Errors
    ///
    /// If one of them is missing or not well formed.
    pub fn open(folder: &Path) -> Result<Set, Error> {
        #[derive(Deserialize)]
        struct Catalogue {
            exercise: Vec<Exercise>,
        }
        // Compilers and Markdown want no Windows prefix, which `canonicalize` would bring.
        let folder = std::path::absolute(folder)?;
        let mut exercises = parsed::<Catalogue>(&folder.join("class/catalogue.toml"))?.exercise;
        let starters = folder.join("exercises");
        let there = files::below(&starters).map_err(|error| Error::Usage(error.to_string()))?;
        let there: Vec<_> = there
            .iter()
            .map(|file| files::shown(&starters, file))
            .collect();
        for exercise in &mut exercises {
            let file = format!("{}.rs", exercise.name);
            let is_it = |path: &&String| path.rsplit('/').next() == Some(&file);
            exercise.file = there.iter().find(is_it).cloned().unwrap_or(file);
            let text = files::read(&starters.join(&exercise.file));
            let text = text.map_err(|error| Error::Usage(error.to_string()))?;
            exercise.head = exercise::head(&exercise.name, &text).ok_or_else(|| {
                let (file, short) = (&exercise.file, &exercise.name[..4]);
                let line = format!("//! {short} · complete · 10 minutes · chapter 01, …");
                Error::Usage(format!("exercises/{file}: begin it as in `{line}`"))
            })?;
        }
        let mut set = Set { folder, exercises };
        wrong::read(&mut set)?;
        Ok(set)
    }

    /// The exercises of a selection: names such as `s03a`, chapters such as `s03`, and plans of the book's page for
    /// teachers by the beginning of their heading, such as `half-a-day`. All of them, if nothing is selected.
    ///
    /// # Errors
    ///
    /// If a part of it selects nothing.
    pub fn only(&self, selection: &str) -> Result<Vec<Exercise>, Error> {
        let plans = self.read("../book/src/course.md").unwrap_or_default();
        let mut names = BTreeSet::new();
        for part in selection
            .split(',')
            .map(str::trim)
            .filter(|it| !it.is_empty())
        {
            let plan = plans.split("\n### ").skip(1).find(|plan| {
                let heading = plan.split([':', '\n']).next().unwrap_or_default();
                heading.to_lowercase().replace(' ', "-") == part
            });
            let is_in = |it: &&Exercise| {
                let (chapter, letter) = (&it.name[..3], &it.name[..4]);
                let named = |plan: &&str| {
                    plan.contains(&format!("exercises {}", &it.name[1..3]))
                        || plan.contains(&format!("`{}`", it.name))
                };
                [chapter, letter, &it.name].contains(&part) || plan.as_ref().is_some_and(named)
            };
            let mut selected = self.exercises.iter().filter(is_in).peekable();
            if selected.peek().is_none() {
                let text = format!(
                    "no exercise is selected by `{part}`: write as in `s01,s03a`, or a plan"
                );
                return Err(Error::Usage(text));
            }
            names.extend(selected.map(|it| &it.name));
        }
        let is_in = |it: &&Exercise| names.is_empty() || names.contains(&it.name);
        Ok(self.exercises.iter().filter(is_in).cloned().collect())
    }

    /// The text of a file, with line ends as on Unix.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn read(&self, file: &str) -> Result<String, Error> {
        Ok(files::read(&self.folder.join(file))?)
    }
}

/// The folder of the course's own set.
pub fn own_set() -> PathBuf {
    files::root().join("exercises")
}

/// A TOML file, read.
pub(crate) fn parsed<T: DeserializeOwned>(file: &Path) -> Result<T, Error> {
    let text = files::read(file).map_err(|error| Error::Usage(error.to_string()))?;
    toml::from_str(&text).map_err(|error| {
        let before = error.span().map_or("", |span| &text[..span.start]);
        let line = before.lines().count().max(1);
        Error::Usage(format!("{}:{line}: {}", file.display(), error.message()))
    })
}
