//! The sentence of a step, from what happened in it.

use std::fmt;

use crate::run::{
    Name,
    happened::{Bit, By, Effect, Happened, Wake, Write},
    queue::Queue,
};

/// With marks for style.
pub(super) fn sentence(by: &By, happened: &Happened) -> String {
    let on = by.thread;
    match happened {
        Happened::Sleeps { queue_is_empty, .. } => match by.inside {
            Some(inside) => format!("{on} sleeps inside the poll of `{inside}`"),
            None if *queue_is_empty => format!("{on} sleeps: the queue is empty"),
            None => format!("{on} sleeps"),
        },
        Happened::Resumes => format!("{on} resumes"),
        Happened::TakesLock(None) => format!("{by} *takes* the lock"),
        Happened::TakesLock(Some((lock, place))) => format!("{on} takes lock {lock} at {place}"),
        Happened::ReleasesLock(None) => format!("{by} *releases* the lock"),
        Happened::ReleasesLock(Some(lock)) => format!("{on} releases lock {lock}"),
        Happened::Notifies { condvar, place } => {
            format!("{on} notifies condvar {condvar} at {place}")
        }
        Happened::Waits { condvar, place } => format!("{on} waits at condvar {condvar} at {place}"),
        Happened::Writes(write) => format!("{on} {write}"),
        Happened::Steals { from, tasks, of } => {
            let names: Vec<String> = tasks.iter().map(|task| format!("`{task}`")).collect();
            let (names, count) = (names.join(" and "), tasks.len());
            format!("{on} *steals* {names} from {from}: {count} of {of} tasks")
        }
        Happened::Puts {
            task,
            queue,
            pushed_out,
        } => {
            let spawns = format!("{by} spawns `{task}`: it goes into {queue}");
            pushed_out.map_or(spawns.clone(), |gone| {
                format!("{spawns}, and `{gone}` moves to the back of the queue")
            })
        }
        Happened::Spawns { task, is_queued } => match is_queued {
            true => format!("`{task}` is spawned, which puts it into the queue"),
            false => format!("`{task}` is made"),
        },
        Happened::Polls { task, outer, from } => polls(on, task, *outer, from.as_ref()),
        Happened::Pending { task, bit } => match bit {
            Bit::None => format!("`{task}` is *Pending*"),
            Bit::Clear => format!("`{task}` is *Pending*: {on} sees no bit"),
            Bit::Set => {
                format!("`{task}` is *Pending*: {on} *sees the bit* and puts it into the queue")
            }
        },
        Happened::Ready { task } => format!("`{task}` is *Ready*"),
        Happened::Panics { task } => format!("`{task}` panics"),
        Happened::PollsAfterReady { task } => {
            format!("{on} polls `{task}`, which was ready before")
        }
        Happened::Drops { task } => format!("{by} drops `{task}`"),
        Happened::Keeps { whose } => format!("a clone of `{whose}`'s waker is stored"),
        Happened::Releases { whose } => {
            format!("a clone of `{whose}`'s waker is dropped, not woken")
        }
        Happened::Wakes(wake) => wakes(by, wake),
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.inside {
            Some(inside) => write!(f, "`{inside}`"),
            None => f.write_str(self.thread),
        }
    }
}

impl fmt::Display for Write {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let change =
            |(name, before, after): &(String, u64, u64)| format!("{name} {before} → {after}");
        let changes: Vec<String> = self.changes.iter().map(change).collect();
        let changes = changes.join(", ");
        match (&*self.meaning, &*changes) {
            ("", "") => {
                let Write {
                    before,
                    after,
                    place,
                    ..
                } = self;
                write!(f, "writes a word, from {before:b} to {after:b} at {place}")
            }
            (meaning, "") => f.write_str(meaning),
            ("", changes) => f.write_str(changes),
            (meaning, changes) => write!(f, "{meaning}: {changes}"),
        }
    }
}

fn polls(on: Name, task: Name, outer: Option<Name>, from: Option<&Queue>) -> String {
    let place = match (from, outer) {
        (None, Some(outer)) => return format!("`{outer}` polls `{task}`"),
        (None, None) => return format!("{on} polls `{task}`"),
        (Some(Queue::Own(worker)), _) if worker != on => {
            return format!("{on} polls `{task}`, which it has stolen");
        }
        (Some(Queue::Own(_)), _) => "its queue".to_owned(),
        (Some(Queue::Slot(worker)), _) if worker == on => "its slot".to_owned(),
        (Some(queue), _) => queue.to_string(),
    };
    format!("{on} takes `{task}` from {place} and polls it")
}

fn wakes(by: &By, wake: &Wake) -> String {
    let (on, task) = (by.thread, wake.task);
    if let Some(owner) = wake.owner {
        return format!("the time is up: {on} calls the stored waker, which *wakes* `{owner}`");
    }
    if wake.is_stale {
        return format!("{on} calls an *old waker* of `{task}`, not that of its latest poll");
    }
    let ends = |sleeper: Option<Name>| {
        sleeper.map_or(String::new(), |thread| {
            format!(", which ends the sleep of {thread}")
        })
    };
    let effect = match wake.effect {
        Effect::Queued { wakes } => format!(": it goes into the queue{}", ends(wakes)),
        Effect::Asked { wakes } => ends(wakes),
        Effect::DuringPoll { sets_bit: false } => " during its poll".to_owned(),
        Effect::DuringPoll { sets_bit: true } => {
            " during its poll, and *only sets* the bit `SCHEDULED`".to_owned()
        }
        Effect::TooLate => ": too late, it is finished".to_owned(),
    };
    match by.inside {
        Some(inside) if inside == task => format!("{by} *wakes* itself{effect}"),
        _ => format!("{by} *wakes* `{task}`{effect}"),
    }
}
