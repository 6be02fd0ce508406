//! A run of a stage that the book shows: its recording, and what its picture looks like.

use std::{fs, path::PathBuf};

use kit::files;
use probe::Recording;
use serde::Deserialize;

/// What a test of the stage has written to `book/recordings`: see `probe::Run`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Run {
    /// The name of its files.
    pub(crate) name: String,
    /// What it is, in a few words.
    pub(crate) title: String,
    /// What to see in it.
    pub(crate) caption: String,
    pub(crate) wording: Wording,
    /// The columns of its picture, from left to right.
    pub(crate) lanes: Vec<Lane>,
    #[serde(flatten)]
    pub(crate) recording: Recording,
}

/// A column of a picture, as `probe::Lane` has it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Lane {
    #[serde(rename = "lane")]
    pub(crate) kind: Kind,
    /// Of the thread, the future or the place, or of the worker whose queue it is, or a line of the source.
    #[serde(default)]
    pub(crate) name: String,
    /// What stands above it, or what is done in that line, or from whom it steals.
    pub(crate) header: String,
    /// What may be in the queue, or the bits or numbers of the word, from the lowest.
    #[serde(default)]
    pub(crate) tasks: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Thread,
    Task,
    Wakers,
    Queue,
    QueueAgain,
    SharedQueue,
    OwnQueue,
    Counted,
    Lock,
    Word,
    Counts,
    Line,
    Steals,
}

impl Lane {
    /// What its queue is called.
    pub(crate) fn place(&self) -> String {
        match self.kind {
            Kind::OwnQueue => format!("{}'s queue", self.name),
            Kind::Counted => self.name.clone(),
            _ => "the queue".to_owned(),
        }
    }
}

/// A place that no recording knows, such as a queue with a bound, but a rule says what is in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Place {
    /// The label of the run, if the player shows several.
    #[serde(default)]
    pub(crate) of: String,
    /// What it is, and after a colon, more of that.
    pub(crate) header: String,
    /// For how many there is room. 0: there is no bound.
    #[serde(default)]
    pub(crate) room: usize,
    /// What puts the future of this event there, or that inside whose poll it happens. As in `lines`.
    pub(crate) enter: Vec<String>,
    /// What takes it out, or the first if it is not there.
    pub(crate) leave: Vec<String>,
    /// What is said when it comes in, finds no room, or leaves, and when there is none to leave.
    #[serde(default)]
    pub(crate) says: [String; 4],
    /// How an entry is shown, and that there is none.
    pub(crate) shows: [String; 2],
}

/// How polls are spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Wording {
    Polls,
    PlainWakes,
    Checks,
    Flags,
}

impl Kind {
    /// Whether it is a queue of any kind.
    pub(crate) fn is_queue(self) -> bool {
        use Kind::{Counted, OwnQueue, Queue, QueueAgain, SharedQueue};
        matches!(self, Queue | QueueAgain | SharedQueue | OwnQueue | Counted)
    }
}

/// A file in the folder of the book.
pub(crate) fn book(path: &str) -> PathBuf {
    files::root().join("book").join(path)
}

/// All runs that were recorded, in the order of their names.
///
/// # Errors
///
/// What cannot be read.
pub(crate) fn all() -> Result<Vec<Run>, String> {
    let mut files = files::below(&book("recordings")).map_err(|error| error.to_string())?;
    files.sort();
    let read = |file: &PathBuf| {
        let text = fs::read_to_string(file).map_err(|error| error.to_string());
        text.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()))
            .map_err(|error| format!("{}: {error}", files::shown(&files::root(), file)))
    };
    files.iter().map(read).collect()
}
