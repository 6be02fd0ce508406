//! What is known about one task at one moment, added up from its events.

use std::collections::BTreeMap;

use crate::{event::What, place::Place};

#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) state: State,
    pub(crate) dropped: bool,
    pub(crate) polls: usize,
    /// Polls, other than the first, that no wake asked for.
    pub(crate) unprompted: usize,
    /// Polls that only a wake out of the poll before had asked for.
    pub(crate) self_prompted: usize,
    pub(crate) polls_after_ready: usize,
    /// The number of the waker that came with the latest poll.
    pub(crate) latest: u32,
    /// Clones of the latest waker, dropped ones included.
    pub(crate) kept_of_latest: usize,
    pub(crate) kept: usize,
    /// Clones that exist now, by the number of the waker.
    pub(crate) alive: BTreeMap<u32, usize>,
    pub(crate) wakes: usize,
    pub(crate) last_wake: Option<LastWake>,
    /// Since the latest poll began.
    pub(crate) wakes_of_latest: usize,
    pub(crate) wakes_of_old: usize,
    wakes_by_own_poll: usize,
}

#[derive(Clone, Debug, Default)]
pub(crate) enum State {
    #[default]
    New,
    /// A poll has begun here and not returned.
    Polling(Place),
    Pending,
    Ready,
    Panicked,
}

#[derive(Clone, Debug)]
pub(crate) enum LastWake {
    OwnPoll,
    From(Place),
}

impl Facts {
    /// Adds one event. `own_poll` says whether it happened inside a poll of this very task.
    pub(crate) fn note(&mut self, what: &What, own_poll: bool) {
        match what {
            What::Poll { waker } => self.begin_poll(*waker),
            What::Pending => self.state = State::Pending,
            What::Ready => self.state = State::Ready,
            What::Panic => self.state = State::Panicked,
            What::PollAfterReady => self.polls_after_ready += 1,
            What::Drop => self.dropped = true,
            What::Keep { waker } => {
                self.kept += 1;
                self.kept_of_latest += usize::from(*waker == self.latest);
                *self.alive.entry(*waker).or_default() += 1;
            }
            What::Release { waker } => self.release(*waker),
            What::Wake {
                waker, by_value, ..
            } => {
                if *by_value {
                    self.release(*waker);
                }
                self.wake(*waker, own_poll);
            }
            _ => {}
        }
    }

    /// Whether it was dropped without having been finished.
    pub(crate) fn cancelled(&self) -> bool {
        self.dropped && matches!(self.state, State::New | State::Pending)
    }

    pub(crate) fn alive(&self) -> usize {
        self.alive.values().sum()
    }

    pub(crate) fn alive_of_latest(&self) -> usize {
        self.alive.get(&self.latest).copied().unwrap_or(0)
    }

    fn begin_poll(&mut self, waker: u32) {
        let wakes = self.wakes_of_latest + self.wakes_of_old;
        if self.polls > 0 && wakes == 0 {
            self.unprompted += 1;
        }
        if wakes > 0 && wakes == self.wakes_by_own_poll {
            self.self_prompted += 1;
        }
        (
            self.wakes_of_latest,
            self.wakes_of_old,
            self.wakes_by_own_poll,
        ) = (0, 0, 0);
        if self.latest != waker {
            (self.latest, self.kept_of_latest) = (waker, 0);
        }
        self.polls += 1;
        self.state = State::Polling(Place::here());
    }

    fn wake(&mut self, waker: u32, own_poll: bool) {
        self.wakes += 1;
        if waker == self.latest {
            self.wakes_of_latest += 1;
        } else {
            self.wakes_of_old += 1;
        }
        self.wakes_by_own_poll += usize::from(own_poll);
        self.last_wake = Some(if own_poll {
            LastWake::OwnPoll
        } else {
            LastWake::From(Place::here())
        });
    }

    fn release(&mut self, waker: u32) {
        if let Some(alive) = self.alive.get_mut(&waker) {
            *alive -= 1;
            if *alive == 0 {
                self.alive.remove(&waker);
            }
        }
    }
}
