//! What tasks, threads and lines are called in a sentence.

use std::{panic::Location, sync::Arc};

use crate::{
    judge::looks::{self, Looks},
    see::{
        facts::State,
        place::{Doing, Place},
        task::Task,
    },
};

/// The title of what is said of a task.
pub(crate) fn title(looks: &Looks) -> String {
    format!("task {} {:?}", looks.number, looks.task.name())
}

/// What a task is called in a sentence: its name, and its number too if the name is a line's, of which there may be many.
pub(crate) fn called(task: &Arc<Task>, all: &[Looks]) -> String {
    match looks::at(task, all) {
        Some(known) if task.given.is_none() => title(known),
        _ => format!("{:?}", task.name()),
    }
}

pub(crate) fn line(at: &Location<'_>) -> String {
    format!("{}:{}", at.file(), at.line())
}

/// What a thread does, as a verb that its name goes before.
pub(crate) fn doing(place: &Place) -> Option<&'static str> {
    Some(match place.doing()? {
        Doing::Runs => "runs: a loop or a long computation",
        Doing::WaitsForAnother => {
            "sleeps in a lock, a condition variable, a park, a recv or a join"
        }
        Doing::SleepsForATime => "sleeps for a time",
        Doing::WaitsForInput => "waits for input",
        Doing::Sleeps => "sleeps in a system call",
    })
}

/// What a closure is doing. `None`: it is none.
pub(crate) fn closure_is_doing(task: &Task) -> Option<String> {
    if !task.is_closure {
        return None;
    }
    Some(match task.facts().state {
        State::New => "it has not begun".to_owned(),
        State::Polling(thread) => {
            let doing = doing(&thread).unwrap_or("runs");
            format!("its {} {doing}", thread.name)
        }
        _ => return None,
    })
}

/// How a closure has ended since the looks at it. `None`: it has not, or it is none.
pub(crate) fn closure_is_over(task: &Task) -> Option<&'static str> {
    match task.facts().state {
        State::Panicked if task.is_closure => Some("panicked"),
        State::Ready if task.is_closure => Some("returned"),
        _ => None,
    }
}
