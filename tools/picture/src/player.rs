//! A player of the book: a run, or two on one clock, to step through. In this folder, `part.rs` is one of its runs, `steps.rs` puts the
//! events of both on one clock, `lanes.rs` draws them, `page.rs` makes the figure, and `faults.rs` finds what `players.toml` says and
//! isn't so.

mod faults;
mod lanes;
mod measures;
mod page;
mod part;
mod steps;
mod svg;

use crate::{
    beside::{Beside, Place, besides},
    read::read,
    run::{Name, Run, frame::Frame, frames::frames},
    text::number_of,
};
use part::{Part, Step};

pub(crate) struct Player {
    pub(crate) name: String,
    pub(crate) beside: Beside,
    pub(crate) parts: Vec<Part>,
    pub(crate) steps: Vec<Step>,
    /// The names of all futures. One that occurs in two recordings has one colour.
    tasks: Vec<Name>,
}

/// The players of the book.
///
/// # Errors
///
/// What cannot be read, or is not there.
pub(crate) fn players() -> Result<Vec<Player>, String> {
    let mut players = Vec::new();
    for (name, beside) in besides()? {
        // One run has the player's name, and needs no label.
        let runs = match &beside.runs[..] {
            [] => vec![(name.clone(), String::new())],
            several => several.to_vec(),
        };
        let mut recorded = Vec::new();
        for (file, label) in runs {
            let recording = read(&format!("recordings/{file}.json"))?;
            let run = Run::new(beside.clone(), recording);
            recorded.push((label, run.map_err(|why| format!("{file}.json: {why}"))?));
        }
        players.push(Player::new(&name, &beside, recorded));
    }
    Ok(players)
}

impl Player {
    /// Of these runs, each with its label.
    pub(crate) fn new(name: &str, beside: &Beside, runs: Vec<(String, Run)>) -> Player {
        let mut parts = Vec::new();
        for (label, run) in runs {
            let is_its = |place: &&Place| place.of.is_empty() || place.of == label;
            let places: Vec<Place> = beside.places.iter().filter(is_its).cloned().collect();
            parts.push(Part {
                frames: frames(&label, &run, &places),
                label,
                run,
                places,
            });
        }
        let steps = steps::steps(&mut parts);
        let mut tasks = Vec::new();
        for task in parts.iter().flat_map(|part| &part.run.tasks) {
            number_of(&mut tasks, *task);
        }
        Player {
            name: name.to_owned(),
            beside: beside.clone(),
            parts,
            steps,
            tasks,
        }
    }

    /// Its parts, each with the name of its file in `book/recordings`.
    pub(crate) fn recordings(&self) -> impl Iterator<Item = (&str, &Part)> {
        let runs = &self.beside.runs;
        let name = |number: usize| runs.get(number).map_or(&*self.name, |(name, _)| name);
        let parts = self.parts.iter().enumerate();
        parts.map(move |(number, part)| (name(number), part))
    }

    /// The number of a future, if it is one. The rest of its division by six is its colour and shape.
    pub(crate) fn number(&self, task: &str) -> Option<usize> {
        self.tasks.iter().position(|name| *name == task)
    }

    /// The class of a future, if it is one: its colour and shape.
    pub(crate) fn class(&self, task: &str) -> Option<String> {
        let number = 1 + self.number(task)? % 6;
        let matters = &self.beside.matters;
        let is_gray = !matters.is_empty() && !matters.iter().any(|name| name == task);
        let gray = if is_gray { " gray" } else { "" };
        Some(format!("t{number}{gray}"))
    }

    pub(crate) fn decides(&self, frame: &Frame) -> bool {
        frame.keys.contains(&self.beside.decides.step)
    }

    /// Whether it is the step with which one of two runs is lost.
    pub(crate) fn is_lost(&self, part: &Part, frame: &Frame) -> bool {
        !part.label.is_empty() && self.decides(frame)
    }

    /// Whether it is a wake after which no task is polled: that of an old waker, or that of its own task with which a run is lost.
    pub(crate) fn is_wasted(&self, frame: &Frame) -> bool {
        let is_lost = self.parts.len() > 1 && self.decides(frame);
        frame.is_stale() || frame.is_own_wake() && is_lost
    }
}
