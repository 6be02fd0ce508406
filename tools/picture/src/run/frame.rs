//! One moment of a run, as a player shows it.

use std::collections::BTreeMap;

use probe::What;

use crate::run::{Event, Name, state::State};

/// The state after one event, and what the event did.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) event: Event,
    /// Where it is drawn, in percent of the width.
    pub(crate) x: f32,
    /// What `players.toml` may call the event: as the second of its kind and its future or thread, as any of these, and as any of
    /// its kind. First, as that of this run.
    pub(crate) keys: Vec<String>,
    /// The first of these without the run: what two runs may have in common.
    pub(crate) deed: String,
    /// As a sentence, with marks for style.
    pub(crate) text: String,
    /// The queue that a task was taken from, and the thread whose executor chose it.
    pub(crate) taken: Option<String>,
    /// The worker's queue that it came from, and how many came with it.
    pub(crate) stolen: Option<(String, usize)>,
    /// The task that came into a queue.
    pub(crate) sent: Option<Name>,
    /// Whether it wrote the state of a task.
    pub(crate) noted: bool,
    /// Whether it is a sleep that nothing ends.
    pub(crate) is_forever: bool,
    pub(crate) state: State,
}

impl Frame {
    /// What `players.toml` says of it.
    pub(crate) fn of<'a, T>(&self, said: &'a BTreeMap<String, T>) -> Option<&'a T> {
        self.keys.iter().find_map(|key| said.get(key))
    }

    pub(crate) fn is_wake(&self) -> bool {
        matches!(self.event.what, What::Wake { .. })
    }

    /// Whether it is a wake by a waker that is not that of the future's latest poll.
    pub(crate) fn is_stale(&self) -> bool {
        let latest = self.event.task.and_then(|name| self.state.tasks.get(name));
        matches!(self.event.what, What::Wake { waker, .. } if latest.is_some_and(|task| waker < task.waker))
    }

    /// Whether it is a wake that is not drawn from one lane to another, because the thread that makes it polls the task.
    pub(crate) fn is_own_wake(&self) -> bool {
        let task = self.event.task.and_then(|name| self.state.tasks.get(name));
        let is_own = task.is_some_and(|task| task.poller == Some(self.event.thread));
        self.is_wake() && is_own && self.sent.is_none()
    }

    /// The task that a thread puts into a queue of its own accord.
    pub(crate) fn put(&self) -> Option<Name> {
        self.sent
            .filter(|_| matches!(self.event.what, What::Word { .. } | What::Pending))
    }
}
