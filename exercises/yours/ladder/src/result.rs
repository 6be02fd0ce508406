//! What came of a climb. The ladder shows it on the screen, or writes it as JSON. `tools/climb` of the course, which reads the JSON,
//! includes this file, so what is added here is known on both sides.

use serde::{Deserialize, Serialize};

/// How far a file climbs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Climb {
    /// How many rungs are passed, from the first on.
    pub passed: usize,
    /// How many the file says are reached.
    pub reached: usize,
    /// How many there are, without the race.
    pub of: usize,
    /// The rungs that were tried: those that are passed, and the next one.
    pub rungs: Vec<Tried>,
    /// What `NOT_MINE` names and no rung asks.
    pub unknown: Vec<String>,
}

/// What came of one rung.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Tried {
    /// From 1.
    pub number: usize,
    /// What it is about.
    pub title: String,
    /// How many things it asks, but for those that are listed in `NOT_MINE`.
    pub asked: usize,
    /// What is not kept.
    pub broken: Vec<Broken>,
    /// What the file lists as its own decision.
    pub not_mine: Vec<NotMine>,
}

/// A clause or a check that is not kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Broken {
    /// The clause or the check.
    pub name: String,
    /// What came of it.
    #[serde(flatten)]
    pub not_kept: NotKept,
}

/// What was seen of something that is not kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NotKept {
    /// All of it, for a reader, in a few lines.
    pub what: String,
    /// In one line.
    pub seen: String,
    /// Whether it came to a `todo!`, so that this part of the file is not begun.
    pub is_todo: bool,
}

/// A clause or a check that the file's design keeps differently.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NotMine {
    /// The clause or the check.
    pub name: String,
    /// The reason that the file gives.
    pub reason: String,
    /// Whether it was kept all the same, so that it need not be listed.
    pub kept: bool,
}
