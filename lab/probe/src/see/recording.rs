//! A run of watched futures as a list of events, to play again or to draw.

#[cfg(feature = "trace")]
use serde::{Deserialize, Serialize};

use crate::see::event::What;

/// What [`record`](crate::record) has seen, in the order of time.
///
/// As JSON it is an object with these fields; an event is flat, as in
/// `{"at":5210,"thread":1,"task":1,"what":"poll","waker":1}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "trace", derive(Serialize, Deserialize), serde(default))]
pub struct Recording {
    /// The watched futures, in the order in which they were first seen.
    pub tasks: Vec<Named>,
    /// The threads, in the order in which they were first seen: first the one that called [`record`](crate::record).
    pub threads: Vec<Named>,
    /// What happened.
    pub events: Vec<Event>,
    /// How many events there were beyond [`Recording::MOST_EVENTS`].
    pub left_out: u64,
    /// What the watchdog said when it ended the run, or nothing.
    #[cfg_attr(feature = "trace", serde(skip_serializing_if = "String::is_empty"))]
    pub report: String,
}

/// A task or a thread: its number, from 1, and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "trace", derive(Serialize, Deserialize))]
pub struct Named {
    /// What events call it.
    pub id: u32,
    /// What people call it. A thread without a name has an empty one.
    pub name: String,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "trace", derive(Serialize, Deserialize))]
pub struct Event {
    /// Nanoseconds since the recording began.
    pub at: u64,
    /// On which thread.
    pub thread: u32,
    /// To which task. `None` for what a thread does by itself.
    #[cfg_attr(
        feature = "trace",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub task: Option<u32>,
    /// What it was.
    #[cfg_attr(feature = "trace", serde(flatten))]
    pub what: What,
    /// For what is done to a lock, a condition variable or a word: the line of the source, as `FILE:LINE`. Else empty.
    #[cfg_attr(
        feature = "trace",
        serde(default, skip_serializing_if = "String::is_empty")
    )]
    pub place: String,
}

impl Recording {
    /// A future that is polled without end would otherwise fill the memory.
    pub const MOST_EVENTS: usize = 100_000;

    /// As JSON, each event on a line of its own.
    #[cfg(feature = "trace")]
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string(self).expect("it has no map, and nothing that may fail");
        // In a name, quotes would be escaped.
        json.replace("{\"at\":", "\n{\"at\":")
    }
}
