//! The set of exercises: a folder in rustlings' form, with what only the teacher has in `class`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    Trouble,
    catalogue::{self, Exercise, Listed},
};

/// The set of exercises, as the course has it.
#[derive(Debug)]
pub struct Set {
    /// Where it is.
    pub folder: PathBuf,
    /// What the catalogue says.
    pub exercises: Vec<Exercise>,
    /// What rustlings is told.
    pub listed: Vec<Listed>,
}

impl Set {
    /// Reads the catalogue and rustlings' list.
    ///
    /// # Errors
    ///
    /// If one of the two is missing or not well formed.
    pub fn open(folder: &Path) -> Result<Set, Trouble> {
        // Compilers and Markdown want no Windows prefix, which `canonicalize` would bring.
        let folder = std::path::absolute(folder)?;
        Ok(Set {
            exercises: catalogue::catalogue(&folder)?,
            listed: catalogue::listed(&folder)?,
            folder,
        })
    }

    /// The file of an exercise, from the set's folder or from that of a learner.
    pub fn exercise(&self, name: &str) -> String {
        self.file("exercises", name)
    }

    /// The file of a solution, from the set's folder.
    pub fn solution(&self, name: &str) -> String {
        self.file("solutions", name)
    }

    /// The file of a wrong answer, from the set's folder.
    pub fn wrong(name: &str, slip: &str) -> String {
        format!("class/wrong/{name}/{slip}.rs")
    }

    /// The file of the tests that are held out, from the set's folder.
    pub fn held_out(name: &str) -> String {
        format!("class/held-out/{name}.rs")
    }

    fn file(&self, folder: &str, name: &str) -> String {
        let listed = self.listed.iter().find(|listed| listed.name == name);
        match listed.map(|listed| listed.dir.as_str()) {
            None | Some("") => format!("{folder}/{name}.rs"),
            Some(dir) => format!("{folder}/{dir}/{name}.rs"),
        }
    }

    /// The text of a file, with line ends as on Unix.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn read(&self, file: &str) -> Result<String, Trouble> {
        let path = self.folder.join(file);
        fs::read_to_string(&path)
            .map(|text| text.replace("\r\n", "\n"))
            .map_err(|error| Trouble::Cannot(format!("{}: {error}", path.display())))
    }
}
