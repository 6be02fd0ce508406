//! Every file of the project, in memory, and what the stages say of themselves.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use kit::written;
use serde::Deserialize;

use crate::exercise::{self, Exercise};

/// The project as it is on the disk.
#[derive(Debug)]
pub struct Project {
    /// Its folder.
    pub root: PathBuf,
    /// Every file by its path from the root, with `/` between the parts and `\n` at the ends of lines.
    pub files: BTreeMap<String, String>,
    /// The stages, in the order of reading.
    pub stages: Vec<Stage>,
    /// The exercises, in the order of their list.
    pub exercises: Vec<Exercise>,
}

/// A folder `stepNN-…`.
#[derive(Debug, Clone)]
pub struct Stage {
    /// The name of the folder and of the package.
    pub name: String,
    /// `[package.metadata.stage]`, or what is wrong with it.
    pub metadata: Result<Metadata, String>,
}

/// `[package.metadata.stage]`: what cannot be derived.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    /// The title of its chapter.
    pub title: String,
    /// Its one idea, as README's table says it.
    pub idea: String,
    /// What one sees when it runs, as README's table says it.
    pub shows: String,
    /// What it cannot do yet, as the map of the book's introduction says it.
    pub lacks: String,
    /// The numbers of the documents that it follows.
    pub documents: Vec<String>,
    /// The files of `src` that later stages carry.
    #[serde(default)]
    pub lends: Vec<String>,
    /// Those of which an earlier stage has another version. Stages after this one carry this one's.
    #[serde(default)]
    pub replaces: Vec<String>,
    /// What it rightly lacks, by the words of [`missing`](crate::missing), each with the reason.
    #[serde(default)]
    pub without: BTreeMap<String, String>,
}

impl Project {
    /// Reads the project below this folder.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or as for [`Project::of`].
    pub fn read(root: &Path) -> io::Result<Project> {
        let mut files = BTreeMap::new();
        for file in kit::files::below(root)? {
            let path = kit::files::shown(root, &file);
            if !path.starts_with(".git/") && !path.starts_with("book/book/") {
                let text = String::from_utf8_lossy(&fs::read(&file)?).replace("\r\n", "\n");
                files.insert(path, text);
            }
        }
        Project::of(root, files)
    }

    /// The project of these files, by their paths from the root.
    ///
    /// # Errors
    ///
    /// If a manifest or the list of exercises is not what it should be.
    pub fn of(root: &Path, files: BTreeMap<String, String>) -> io::Result<Project> {
        let mut stages = Vec::new();
        for (path, text) in files.iter().filter(|(path, _)| path.starts_with("step")) {
            if let Some(name) = path.strip_suffix("/Cargo.toml") {
                let (name, metadata) = (name.to_owned(), metadata(&parsed(path, text)?));
                stages.push(Stage { name, metadata });
            }
        }
        let list = files.get(exercise::LIST).map_or("", String::as_str);
        let exercises = exercise::exercises(list)
            .map_err(|why| io::Error::other(format!("{}:{why}", exercise::LIST)))?;
        Ok(Project {
            root: root.to_owned(),
            stages,
            exercises,
            files,
        })
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// The files whose path begins and ends so.
    pub fn with<'a, 'name>(
        &'a self,
        start: &'name str,
        end: &'name str,
    ) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a, 'name> {
        let below = self.files.range(start.to_owned()..);
        below
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .take_while(move |(path, _)| path.starts_with(start))
            .filter(move |(path, _)| path.ends_with(end))
    }

    /// Compares a file with the text that it should have, or with `write` writes that. `how` is the command that does so.
    pub(crate) fn written(&self, path: &str, text: &str, write: bool, how: &str) -> Option<String> {
        let compared = match write {
            true => written::check(&self.root.join(path), text, true, how),
            false => written::compare(path, self.text(path), text, how),
        };
        compared.err()
    }

    /// The exercises of a stage.
    pub fn exercises_of<'a>(&'a self, stage: &'a Stage) -> impl Iterator<Item = &'a Exercise> {
        let exercises = self.exercises.iter();
        exercises.filter(|it| it.chapter() == stage.number())
    }
}

impl Stage {
    /// Its number, in two digits.
    pub fn number(&self) -> &str {
        self.name.get(4..6).unwrap_or_default()
    }

    /// The path of its chapter.
    pub fn chapter(&self) -> String {
        format!("book/src/{}", self.chapter_file())
    }

    /// The name of its chapter's file.
    pub fn chapter_file(&self) -> String {
        format!("{}.md", self.name.trim_start_matches("step"))
    }
}

fn parsed<'a, T: Deserialize<'a>>(path: &str, text: &'a str) -> io::Result<T> {
    let error = |error: toml::de::Error| io::Error::other(format!("{path}: {error}"));
    toml::from_str(text).map_err(error)
}

fn metadata(manifest: &toml::Table) -> Result<Metadata, String> {
    let package = manifest.get("package").and_then(|it| it.get("metadata"));
    let stage = package.and_then(|it| it.get("stage")).cloned();
    let stage = stage.ok_or_else(|| "it is not there".to_owned())?;
    stage
        .try_into()
        .map_err(|error: toml::de::Error| error.message().to_owned())
}
