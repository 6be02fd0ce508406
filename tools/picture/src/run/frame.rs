//! One moment of a run, as a player shows it.

use std::collections::BTreeMap;

use crate::run::{
    Event, Name,
    deed::Deed,
    happened::{Bit, Effect, Happened, Wake},
    state::State,
};

/// The state after one event, and what the event did.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) event: Event,
    /// The number of the event in its run, from 0.
    pub(crate) number: usize,
    /// Where it is drawn, in percent of the width.
    pub(crate) x: f32,
    /// What `players.toml` may call the event: as the second of its kind and its future or thread, as any of these, and as any of
    /// its kind. First, as that of this run.
    pub(crate) keys: Vec<String>,
    /// What two runs may have in common.
    pub(crate) deed: Deed,
    pub(crate) happened: Happened,
    /// As a sentence, with marks for style.
    pub(crate) text: String,
    pub(crate) state: State,
}

impl Frame {
    /// What `players.toml` says of it.
    pub(crate) fn of<'a, T>(&self, said: &'a BTreeMap<String, T>) -> Option<&'a T> {
        self.keys.iter().find_map(|key| said.get(key))
    }

    pub(crate) fn wake(&self) -> Option<&Wake> {
        match &self.happened {
            Happened::Wakes(wake) => Some(wake),
            _ => None,
        }
    }

    /// Whether it is a wake by a waker that is not that of the future's latest poll.
    pub(crate) fn is_stale(&self) -> bool {
        self.wake().is_some_and(|wake| wake.is_stale)
    }

    /// Whether it is a wake that only sets a bit, because the task is being polled.
    pub(crate) fn sets_bit(&self) -> bool {
        let effect = self.wake().map(|wake| wake.effect);
        effect == Some(Effect::DuringPoll { sets_bit: true })
    }

    /// Whether it is a wake that is not drawn from one lane to another, because the thread that makes it polls the task.
    pub(crate) fn is_own_wake(&self) -> bool {
        self.wake().is_some_and(|wake| {
            let poller = self.state.tasks[wake.task].poller;
            poller == Some(self.event.thread) && !matches!(wake.effect, Effect::Queued { .. })
        })
    }

    /// The task that a thread puts into a queue of its own accord.
    pub(crate) fn put(&self) -> Option<Name> {
        match self.happened {
            Happened::Puts { task, .. } => Some(task),
            Happened::Pending {
                task,
                bit: Bit::Set,
            } => Some(task),
            _ => None,
        }
    }

    /// The bits and numbers of a word that a thread sets, or makes larger.
    pub(crate) fn raised(&self) -> impl Iterator<Item = &str> {
        let raised = self
            .changes()
            .iter()
            .filter(|(_, before, after)| before < after);
        raised.map(|(name, ..)| name.as_str())
    }

    /// What has become of the bit or number of this name, if it is another one now: before and after.
    pub(crate) fn change_of(&self, name: &str) -> Option<(u64, u64)> {
        let mut changes = self.changes().iter();
        let (_, before, after) = changes.find(|(changed, ..)| changed == name)?;
        Some((*before, *after))
    }

    fn changes(&self) -> &[(String, u64, u64)] {
        match &self.happened {
            Happened::Writes(write) => &write.changes,
            _ => &[],
        }
    }

    pub(crate) fn is_steal(&self) -> bool {
        matches!(self.happened, Happened::Steals { .. })
    }

    /// Whether this task is among those that a thread steals.
    pub(crate) fn steals(&self, task: &str) -> bool {
        matches!(&self.happened, Happened::Steals { tasks, .. } if tasks.contains(&task))
    }

    /// Whether it is a sleep that nothing ends.
    pub(crate) fn is_forever(&self) -> bool {
        matches!(self.happened, Happened::Sleeps { forever: true, .. })
    }
}
