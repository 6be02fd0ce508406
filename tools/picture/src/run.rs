//! A run of a stage: its recording, with names. In this folder, `frames.rs` goes from moment to moment, and `frame.rs` is one of them.
//! `wrote.rs` says what it means that a word was written, `state.rs` what is where then, `happened.rs` what the event did, and
//! `sentence.rs` says that in words.

pub(crate) mod deed;
pub(crate) mod frame;
pub(crate) mod frames;
pub(crate) mod happened;
pub(crate) mod objects;
mod place;
pub(crate) mod queue;
mod sentence;
pub(crate) mod state;
mod wrote;

use std::collections::BTreeMap;

use probe::{Named, Recording, What};

use crate::beside::{Beside, Kind, Lane};
use objects::objects;
use queue::Queue;
use wrote::Wrote;

/// The name of a thread or a future. Of one run, no two are the same. They live as long as the program, which isn't long.
pub(crate) type Name = &'static str;

#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) beside: Beside,
    /// The lock or the word of each lane of `beside`.
    objects: Vec<Option<u32>>,
    /// The futures, and behind them the owners.
    pub(crate) tasks: Vec<Name>,
    /// The tasks that poll the one watched future, by the numbers of their wakers. None if each future wakes itself.
    owners: Vec<Name>,
    /// The first is the thread that began the recording.
    pub(crate) threads: Vec<Name>,
    pub(crate) events: Vec<Event>,
    pub(crate) left_out: u64,
}

/// A `probe::Event` with names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Event {
    /// In nanoseconds.
    pub(crate) at: u64,
    pub(crate) thread: Name,
    pub(crate) task: Option<Name>,
    pub(crate) what: What,
    pub(crate) place: String,
}

impl Run {
    /// # Errors
    ///
    /// If no recorder would have written that.
    pub(crate) fn new(beside: Beside, recording: Recording) -> Result<Run, String> {
        let objects = objects(&beside.lanes, &recording);
        let tasks = names(&recording.tasks, "task");
        let threads = names(&recording.threads, "thread");
        let events = recording.events.into_iter();
        let events: Option<Vec<_>> = events
            .map(|event| Event::new(event, &threads, &tasks))
            .collect();
        let mut events = events.ok_or("an event is of a task or on a thread that is in no list")?;
        if !beside.runs.is_empty() {
            tell_drops_first(&mut events);
        }
        let leak = |owner: &String| -> Name { owner.clone().leak() };
        let owners: Vec<Name> = beside.wakers.iter().map(leak).collect();
        Ok(Run {
            tasks: tasks.into_values().chain(owners.clone()).collect(),
            owners,
            beside,
            objects,
            events,
            threads: threads.into_values().collect(),
            left_out: recording.left_out,
        })
    }

    /// The task that such a waker wakes, if it is not the future itself. Wakers are numbered from 1, and the last owner has all that are
    /// left.
    pub(crate) fn owner(&self, waker: u32) -> Option<Name> {
        let its_own = self.owners.get(waker as usize - 1);
        its_own.or(self.owners.last()).copied()
    }

    /// Whether the one watched future is polled inside a task that owns it.
    pub(crate) fn has_owners(&self) -> bool {
        !self.owners.is_empty()
    }

    pub(crate) fn has(&self, kind: Kind) -> bool {
        self.beside.lanes.iter().any(|lane| lane.is == kind)
    }

    /// The lane of the word that this writes.
    pub(crate) fn word(&self, what: &What) -> Option<&Lane> {
        let What::Word { word, .. } = what else {
            return None;
        };
        let mut objects = self.objects.iter();
        let place = objects.position(|object| *object == Some(*word))?;
        self.beside.lanes.get(place)
    }

    /// What a lane says of the line in which a word is written.
    pub(crate) fn line(&self, event: &Event) -> Option<&Lane> {
        let mut lanes = self.beside.lanes.iter();
        lanes.find(|lane| lane.is_of(&event.place))
    }

    /// Whether another step of this thread says what this event has done: the state of a task is written for a poll or a wake. If words
    /// say what is in the queues, a spawned task is put somewhere, a task that was taken is polled, and one that is dropped was ready.
    pub(crate) fn is_half(&self, event: &Event) -> bool {
        let is_of_a_state = |lane: &Lane| lane.is == Kind::Word;
        match event.what {
            What::Word { .. } => {
                matches!(Wrote::of(self, event), Some(Wrote::Took { .. }))
                    || self.word(&event.what).is_some_and(is_of_a_state)
            }
            What::Spawn | What::Drop => self.has(Kind::Counted),
            _ => false,
        }
    }

    /// The queue into which this task is put. `None`: there is no such queue, or this future is no task.
    pub(crate) fn queue_for(&self, task: &str) -> Option<Queue> {
        let takes = |lane: &&Lane| match lane.is {
            Kind::Queue => true,
            Kind::SharedQueue => lane.of.iter().any(|name| name == task),
            _ => false,
        };
        self.beside.lanes.iter().find(takes).and_then(Queue::of)
    }
}

impl Event {
    /// With names in the place of numbers. `None`: its thread or its task is in no list.
    fn new(
        event: probe::Event,
        threads: &BTreeMap<u32, Name>,
        tasks: &BTreeMap<u32, Name>,
    ) -> Option<Event> {
        let task = match event.task {
            Some(number) => Some(*tasks.get(&number)?),
            None => None,
        };
        Some(Event {
            at: event.at,
            thread: threads.get(&event.thread)?,
            task,
            what: event.what,
            place: event.place,
        })
    }
}

/// A drop is recorded when it is over, which is after the wakes that it makes. Here, it is told before them, which are not of its own
/// future. The times stay in order.
fn tell_drops_first(events: &mut [Event]) {
    for number in 1..events.len() {
        let [earlier, later] = [&events[number - 1], &events[number]];
        let is_of_another = earlier.task != later.task;
        if later.what == What::Drop && matches!(earlier.what, What::Wake { .. }) && is_of_another {
            let times = [earlier.at, later.at];
            events.swap(number - 1, number);
            [events[number - 1].at, events[number].at] = times;
        }
    }
}

/// By the number. No two are the same, and none has a colon, which would end it in a lane.
fn names(list: &[Named], what: &str) -> BTreeMap<u32, Name> {
    let mut names: BTreeMap<u32, Name> = BTreeMap::new();
    for Named { id, name } in list {
        let mut name = name.replace(": ", ":");
        if name.is_empty() {
            name = format!("{what} {id}");
        } else if names.values().any(|other| *other == name) {
            name += &format!(" ({id})");
        }
        names.insert(*id, name.leak());
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drop_is_told_before_the_wakes_that_it_makes_and_after_a_wake_of_its_own_future() {
        let event = |at, task, what| Event {
            at,
            thread: "main",
            task: Some(task),
            what,
            place: String::new(),
        };
        let wake = What::Wake {
            waker: 1,
            by_value: true,
            during: None,
        };
        let mut events = [
            event(1, "first", wake.clone()),
            event(2, "second", wake.clone()),
            event(3, "first", What::Drop),
        ];
        tell_drops_first(&mut events);
        let expected = [
            event(1, "first", wake.clone()),
            event(2, "first", What::Drop),
            event(3, "second", wake),
        ];
        assert_eq!(events, expected);
    }
}
