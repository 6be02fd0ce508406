//! The set of exercises: a folder in rustlings' form, with what is for the teacher in `class`.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use kit::{change, files};
use serde::{Deserialize, de::DeserializeOwned};

use crate::{Error, split::at_tests};

/// The set of exercises, as the course has it.
#[derive(Debug)]
pub struct Set {
    /// Where it is.
    pub folder: PathBuf,
    /// What the catalogue, `class/catalogue.toml`, says.
    pub exercises: Vec<Exercise>,
    /// What rustlings is told, in `info.toml`.
    pub listed: Vec<Listed>,
}

/// One exercise, as the catalogue has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// The name of the file and of the program, such as `s04c_queued_once`.
    pub name: String,
    /// What a reader calls it.
    pub title: String,
    /// What is asked of the learner.
    pub kind: Kind,
    /// The stage that it belongs to, from 1.
    pub stage: u8,
    /// How long it takes.
    pub minutes: u32,
    /// What a solution is worth.
    pub points: u32,
    /// The one new idea that it needs.
    pub idea: String,
    /// The published defect that it repairs.
    pub defect: Option<String>,
    /// A piece of text that the starter's failure shows.
    pub red: String,
    /// The steps of the hint: in which direction to look, at which place, and the shape of the answer.
    #[serde(default)]
    pub hints: Vec<String>,
    /// Wrong answers that learners give.
    #[serde(default)]
    pub wrong: Vec<Wrong>,
}

/// A wrong answer that learners give.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// What to call it.
    pub slip: String,
    /// What a learner who writes this has in mind.
    pub thinks: String,
    /// Which text `change` is a change of.
    pub from: Base,
    /// Pairs of texts: what stands there, and what the learner writes instead.
    pub change: Vec<(String, String)>,
    /// A piece of text that its failure shows.
    pub sees: String,
    /// What a teacher asks or says now.
    pub say: String,
}

/// Which text a wrong answer is a change of.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Base {
    /// The file that the learner gets.
    Starter,
    /// The solution.
    Solution,
}

/// What an exercise asks of the learner.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Write what is missing.
    Complete,
    /// Fix a defect that was published.
    Repair,
    /// Write down what will happen.
    Predict,
    /// Write the test that tells the broken version from the good one.
    Prove,
    /// Make your own executor keep the contract.
    Contract,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Complete => "complete",
            Kind::Repair => "repair",
            Kind::Predict => "predict",
            Kind::Prove => "prove",
            Kind::Contract => "contract",
        })
    }
}

/// One exercise, as rustlings has it.
#[derive(Clone, Debug, Deserialize)]
pub struct Listed {
    /// The name of the file and of the program.
    pub name: String,
    /// The folder of the file, in `exercises` and in `solutions`.
    #[serde(default)]
    pub dir: String,
    /// Whether rustlings runs the tests.
    #[serde(default = "yes")]
    pub test: bool,
    /// Whether rustlings is told not to check that the starter is unsolved.
    #[serde(default)]
    pub skip_check_unsolved: bool,
}

fn yes() -> bool {
    true
}

impl Set {
    /// Reads the catalogue and rustlings' list.
    ///
    /// # Errors
    ///
    /// If one of the two is missing or not well formed.
    pub fn open(folder: &Path) -> Result<Set, Error> {
        #[derive(Deserialize)]
        struct Catalogue {
            exercise: Vec<Exercise>,
        }
        #[derive(Deserialize)]
        struct Info {
            exercises: Vec<Listed>,
        }
        // Compilers and Markdown want no Windows prefix, which `canonicalize` would bring.
        let folder = std::path::absolute(folder)?;
        Ok(Set {
            exercises: parsed::<Catalogue>(&folder.join("class/catalogue.toml"))?.exercise,
            listed: parsed::<Info>(&folder.join("info.toml"))?.exercises,
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
    pub fn read(&self, file: &str) -> Result<String, Error> {
        Ok(files::read(&self.folder.join(file))?)
    }

    /// A wrong answer: what then stands above the tests.
    ///
    /// # Errors
    ///
    /// If the change no longer fits the text that it is a change of.
    pub fn wrong(&self, exercise: &Exercise, wrong: &Wrong) -> Result<String, Error> {
        let file = match wrong.from {
            Base::Starter => self.exercise(&exercise.name),
            Base::Solution => self.solution(&exercise.name),
        };
        let text = self.read(&file)?;
        change::apply(at_tests(&text).0, &wrong.change).map_err(|missing| {
            let line = missing.trim().lines().next().unwrap_or_default();
            Error::Failure(format!("{file} has no longer what it changes: `{line}`"))
        })
    }
}

/// The folder of the course's own set.
pub fn own_set() -> PathBuf {
    files::root().join("exercises")
}

fn parsed<T: DeserializeOwned>(file: &Path) -> Result<T, Error> {
    let text = files::read(file).map_err(|error| Error::Usage(error.to_string()))?;
    toml::from_str(&text).map_err(|error| {
        let before = error.span().map_or("", |span| &text[..span.start]);
        let line = before.matches('\n').count() + 1;
        Error::Usage(format!("{}:{line}: {}", file.display(), error.message()))
    })
}
