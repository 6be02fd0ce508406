//! What `players.toml` calls an event.

use std::{collections::BTreeMap, fmt};

use probe::What;

use crate::run::{Event, Name};

/// An event by its kind, its future or thread, and the how manieth of these it is: `poll one 2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Deed {
    kind: &'static str,
    whose: Name,
    time: u32,
}

/// How many times each thing has happened so far.
#[derive(Default)]
pub(super) struct Times(BTreeMap<(&'static str, Name), u32>);

impl Times {
    pub(super) fn next(&mut self, event: &Event) -> Deed {
        let (kind, whose) = (kind(&event.what), event.task.unwrap_or(event.thread));
        let time = self.0.entry((kind, whose)).or_insert(0);
        *time += 1;
        Deed {
            kind,
            whose,
            time: *time,
        }
    }
}

impl Deed {
    /// Itself, but that a poll which is ready has ended as one that is pending.
    pub(crate) fn as_end_of_poll(&self) -> Deed {
        let kind = match self.kind {
            "ready" => "pending",
            kind => kind,
        };
        Deed { kind, ..*self }
    }

    /// Its names in `players.toml`, the most exact first. First of all, those in the run with this label.
    pub(super) fn keys(&self, label: &str) -> Vec<String> {
        let Deed { kind, whose, .. } = self;
        let names = [
            self.to_string(),
            format!("{kind} {whose}"),
            (*kind).to_owned(),
        ];
        let of_its_run = names.iter().map(|name| format!("{label} {name}"));
        of_its_run.chain(names.clone()).collect()
    }
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Deed { kind, whose, time } = self;
        write!(f, "{kind} {whose} {time}")
    }
}

fn kind(what: &What) -> &'static str {
    match what {
        What::Spawn => "spawn",
        What::Poll { .. } => "poll",
        What::Pending => "pending",
        What::Ready => "ready",
        What::Panic => "panic",
        What::PollAfterReady => "pollafterready",
        What::Drop => "drop",
        What::Keep { .. } => "keep",
        What::Release { .. } => "release",
        What::Wake { .. } => "wake",
        What::Word { .. } => "word",
        What::Lock { .. } => "lock",
        What::Unlock { .. } => "unlock",
        What::Notify { .. } => "notify",
        What::Wait { .. } => "wait",
        What::Park => "park",
        What::Unpark => "unpark",
    }
}
