//! The exercises, as `exercises/info.toml` lists them. Rustlings reads that list too, the book's chapters have tables of it, and
//! `tools/grade` gets it from here.

use serde::Deserialize;

/// Where the exercises are listed, from the root.
pub const LIST: &str = "exercises/info.toml";

/// One exercise. Rustlings reads `name`, `dir` and `hint`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// The name of the file and of the program, such as `s04b_the_vanishing_task`.
    pub name: String,
    /// The folder of the file, such as `04_channel_executor`.
    pub dir: String,
    /// What a reader calls it.
    pub title: String,
    /// What is asked of the learner: complete, repair, predict or prove.
    pub kind: String,
    /// How long it takes.
    pub minutes: u32,
    /// What a solution is worth.
    pub points: u32,
    /// A piece of text that the starter's failure shows.
    pub red: String,
    /// The first step of the hint: in which direction to look.
    pub hint: String,
    /// The second step: at which place.
    pub place: String,
    /// The third step: the shape of the answer.
    pub shape: String,
}

impl Exercise {
    /// The number of its chapter and of its stage, in two digits.
    pub fn chapter(&self) -> &str {
        self.dir.get(..2).unwrap_or_default()
    }

    /// What it is called for short, such as `s04b`.
    pub fn short(&self) -> &str {
        self.name.get(..4).unwrap_or(&self.name)
    }

    /// Its file, in the folders of the exercises and of the solutions.
    pub fn file(&self) -> String {
        format!("{}/{}.rs", self.dir, self.name)
    }
}

/// Reads the list.
///
/// # Errors
///
/// The line that is wrong, and what is wrong with it.
pub fn exercises(text: &str) -> Result<Vec<Exercise>, String> {
    #[derive(Deserialize)]
    struct List {
        exercises: Vec<Exercise>,
    }
    let list: Result<List, _> = toml::from_str(text);
    list.map(|list| list.exercises).map_err(|error| {
        let line = kit::files::line(text, error.span().map_or(0, |span| span.start));
        format!("{line}: {}", error.message())
    })
}
