//! Every file of the project, in memory, and what the stages say of themselves.

use std::{collections::BTreeMap, fs, io};

use serde::Deserialize;

use crate::exercise::{self, Exercise};

/// The project as it is on the disk.
#[derive(Debug)]
pub struct Project {
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
    /// What a reader can do after its chapter, as the table in the book's introduction says it.
    pub after: String,
    /// What it rightly lacks, by the words of [`missing`](crate::missing), each with the reason.
    #[serde(default)]
    pub without: BTreeMap<String, String>,
}

impl Project {
    /// Reads the project.
    pub fn read() -> io::Result<Project> {
        let (root, mut files) = (kit::files::root(), BTreeMap::new());
        for file in kit::files::below(&root)? {
            let path = kit::files::shown(&root, &file);
            if !path.starts_with(".git/") && !path.starts_with("book/book/") {
                let text = String::from_utf8_lossy(&fs::read(&file)?).replace("\r\n", "\n");
                files.insert(path, text);
            }
        }
        Project::of(files)
    }

    /// The project of these files, by their paths from the root.
    pub fn of(files: BTreeMap<String, String>) -> io::Result<Project> {
        let mut stages = Vec::new();
        for (path, text) in files.iter().filter(|(path, _)| path.starts_with("step")) {
            if let Some(name) = path.strip_suffix("/Cargo.toml") {
                let (name, metadata) = (name.to_owned(), metadata(text));
                stages.push(Stage { name, metadata });
            }
        }
        let list = files.get(exercise::LIST).map_or("", String::as_str);
        let exercises = exercise::exercises(list)
            .map_err(|why| io::Error::other(format!("{}:{why}", exercise::LIST)))?;
        Ok(Project {
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
    pub fn with(&self, start: &str, end: &str) -> impl Iterator<Item = (&str, &str)> {
        let files = self.files.iter().map(|(path, text)| (&**path, &**text));
        files.filter(move |(path, _)| path.starts_with(start) && path.ends_with(end))
    }

    /// The exercises of a stage.
    pub fn exercises_of<'a>(&'a self, stage: &'a Stage) -> impl Iterator<Item = &'a Exercise> {
        let exercises = self.exercises.iter();
        exercises.filter(|exercise| exercise.chapter() == stage.number())
    }
}

impl Stage {
    /// Its number, in two digits.
    pub fn number(&self) -> &str {
        self.name.get(4..6).unwrap_or_default()
    }

    /// The path of its chapter.
    pub fn chapter(&self) -> String {
        format!("book/src/{}.md", self.name.trim_start_matches("step"))
    }
}

fn metadata(manifest: &str) -> Result<Metadata, String> {
    let says = |error: toml::de::Error| error.message().to_owned();
    let manifest: toml::Value = toml::from_str(manifest).map_err(says)?;
    let package = manifest
        .get("package")
        .and_then(|package| package.get("metadata"));
    let stage = package.and_then(|metadata| metadata.get("stage")).cloned();
    stage.ok_or("it is not there")?.try_into().map_err(says)
}
