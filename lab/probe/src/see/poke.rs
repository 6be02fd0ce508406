//! What the next poll of a task is to find out: where does the future wait, and has what it waits for happened? That poll brings a
//! fresh waker, and a backtrace that is taken where *that* waker is cloned ends at the `.await`.

use std::{
    backtrace::Backtrace,
    panic::Location,
    sync::{Mutex, MutexGuard, OnceLock},
};

use crate::see::{frames::Await, lock::own};

/// What is asked of the next poll of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ask {
    #[default]
    Nothing,
    /// A fresh waker.
    Where,
    /// The same, and if the future is ready, its executor is not to know: the run is over, and must not go on.
    WhereAndStay,
}

/// Nothing, until the first question.
#[derive(Debug, Default)]
pub(crate) struct Poke(OnceLock<Box<Mutex<Found>>>);

/// By the latest poll with a fresh waker.
#[derive(Debug, Default)]
struct Found {
    ask: Ask,
    polls: usize,
    answer: Option<Answer>,
    /// What comes later is not looked at: to read the lines takes time, and the program goes on.
    closed: bool,
    clones: Vec<Backtrace>,
    /// Where the future waits, once that has been read from these.
    awaits: Vec<Await>,
}

/// What came of the poll that was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) is_ready: bool,
    /// How often the task had been woken by then.
    pub(crate) wakes: usize,
}

/// So many polls of a task that moves are looked at, and so many clones of each.
const MOST: usize = 16;

impl Poke {
    fn found(&self) -> MutexGuard<'_, Found> {
        own(self.0.get_or_init(Box::default))
    }

    pub(crate) fn ask(&self, ask: Ask) {
        let mut found = self.found();
        *found = Found::default();
        found.ask = ask;
    }

    /// Polls that come later find nothing. And no more is asked of them, unless a future that is ready has to stay.
    pub(crate) fn close(&self) {
        let mut found = self.found();
        found.closed = true;
        if found.ask == Ask::Where {
            found.ask = Ask::Nothing;
        }
    }

    /// A poll begins. What is asked of it, if anything is, and the number of such polls.
    pub(crate) fn begin(&self) -> Option<(Ask, usize)> {
        let mut found = own(self.0.get()?);
        if found.ask == Ask::Where && found.polls == MOST {
            found.ask = Ask::Nothing;
        }
        if found.ask != Ask::Nothing && !found.closed {
            found.polls += 1;
            found.answer = None;
            found.clones.clear();
        }
        (found.ask != Ask::Nothing).then_some((found.ask, found.polls))
    }

    pub(crate) fn cloned(&self) {
        let found = self.found();
        if !found.closed && found.clones.len() < MOST {
            drop(found);
            let trace = Backtrace::force_capture();
            self.found().clones.push(trace);
        }
    }

    /// In the poll that it was made for, the latest clone was dropped: that wait was over.
    pub(crate) fn dropped(&self, poll: usize) {
        let mut found = self.found();
        if !found.closed && found.answer.is_none() && found.polls == poll {
            found.clones.pop();
        }
    }

    /// A poll is over, before which it had been woken so often.
    pub(crate) fn end(&self, is_ready: bool, wakes: usize) {
        let mut found = self.found();
        if !found.closed {
            found.answer = Some(Answer { is_ready, wakes });
        }
    }

    /// `None`: it was not polled.
    pub(crate) fn answer(&self) -> Option<Answer> {
        self.found().answer
    }

    pub(crate) fn awaits(&self) -> Vec<Await> {
        self.found().awaits.clone()
    }

    /// Finds the lines. `made`: where the future was watched, if no line of the program is inside it.
    pub(crate) fn read(&self, made: &Location<'_>) {
        let clones = std::mem::take(&mut self.found().clones);
        let mut awaits: Vec<_> = clones.iter().map(Await::of).collect();
        for unknown in awaits.iter_mut().filter(|found| found.lines.is_empty()) {
            unknown
                .lines
                .push(format!("{}:{}", made.file(), made.line()));
        }
        awaits.sort();
        awaits.dedup();
        self.found().awaits = awaits;
    }
}
