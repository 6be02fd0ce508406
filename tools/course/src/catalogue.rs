//! What is needed of the catalogue of the exercises.

use serde::Deserialize;
use toml::Value;

use crate::{Book, text::read};

/// An exercise.
#[derive(Debug, Deserialize)]
pub(crate) struct Exercise {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) kind: String,
    pub(crate) stage: usize,
    pub(crate) minutes: u32,
    pub(crate) points: u32,
}

/// The file, from the root.
pub(crate) const FILE: &str = "exercises/class/catalogue.toml";

/// All exercises in their order; `None` if there is no catalogue.
pub(crate) fn exercises(book: &Book) -> Option<Vec<Exercise>> {
    let text = read(&book.root.join(FILE)).ok()?;
    let table: toml::Table = text.parse().expect("the catalogue is TOML");
    let exercises = table.get("exercise").and_then(Value::as_array)?;
    let read = |it: &Value| {
        it.clone()
            .try_into()
            .expect("it has the fields of an exercise")
    };
    Some(exercises.iter().map(read).collect())
}

impl Exercise {
    /// What the catalogue says in the column of this name, if it has it.
    pub(crate) fn column(&self, name: &str) -> Option<String> {
        match name {
            "minutes" => Some(self.minutes.to_string()),
            "points" => Some(self.points.to_string()),
            "kind" => Some(self.kind.clone()),
            "title" => Some(self.title.clone()),
            _ => None,
        }
    }
}
