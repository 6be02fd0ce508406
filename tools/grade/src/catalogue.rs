//! The catalogue of exercises, `class/catalogue.toml`, and rustlings' own list, `info.toml`.

use std::{fmt, fs, path::Path};

use serde::{Deserialize, de::DeserializeOwned};

use crate::Trouble;

/// One exercise, as the catalogue has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// The name of the file and of the program, such as `s04c_sleep_until_woken`.
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
    /// Wrong answers that learners give.
    #[serde(default)]
    pub wrong: Vec<Wrong>,
}

/// A wrong answer that learners give.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// The name of its file.
    pub slip: String,
    /// What a learner who writes this has in mind.
    pub thinks: String,
    /// A piece of text that its failure shows.
    pub sees: String,
    /// What a teacher asks or says now.
    pub say: String,
}

/// What an exercise asks of the learner.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Write what is missing.
    Complete,
    /// Mend a defect that was published.
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
    /// What rustlings shows to a learner who asks for help.
    #[serde(default)]
    pub hint: String,
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

pub(crate) fn catalogue(set: &Path) -> Result<Vec<Exercise>, Trouble> {
    #[derive(Deserialize)]
    struct Catalogue {
        exercise: Vec<Exercise>,
    }
    read::<Catalogue>(&set.join("class/catalogue.toml")).map(|catalogue| catalogue.exercise)
}

pub(crate) fn listed(set: &Path) -> Result<Vec<Listed>, Trouble> {
    #[derive(Deserialize)]
    struct Info {
        exercises: Vec<Listed>,
    }
    read::<Info>(&set.join("info.toml")).map(|info| info.exercises)
}

pub(crate) fn read<T: DeserializeOwned>(file: &Path) -> Result<T, Trouble> {
    let wrong = |error: &dyn fmt::Display| Trouble::Usage(format!("{}: {error}", file.display()));
    let text = fs::read_to_string(file).map_err(|error| wrong(&error))?;
    toml::from_str(&text).map_err(|error| wrong(&error))
}
