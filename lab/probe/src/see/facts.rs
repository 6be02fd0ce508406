//! What is known about one task at one moment, added up from its events. And who has something, or waits for it.

use std::sync::Arc;

use crate::see::{
    event::What,
    place::{Line, Place},
    task::Task,
};

#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) state: State,
    pub(crate) dropped: bool,
    pub(crate) polls: usize,
    /// Polls for which the watchdog itself was the reason.
    provoked: usize,
    /// Polls, other than the first, that no wake asked for.
    pub(crate) unprompted: usize,
    /// Polls that only a wake out of the poll before had asked for.
    pub(crate) self_prompted: usize,
    pub(crate) polls_after_ready: usize,
    /// In whose poll the latest poll was.
    pub(crate) parent: Option<Parent>,
    /// The number of the waker that came with the latest poll.
    pub(crate) latest: u32,
    /// Clones of the latest waker that the latest poll made, dropped ones included.
    pub(crate) kept_of_latest: usize,
    /// How a clone of the latest waker was dropped last, if that was after the latest poll.
    pub(crate) released: Option<Actor>,
    pub(crate) kept: usize,
    /// Clones that exist now, by the number of the waker.
    alive: Vec<(u32, usize)>,
    /// Of these, the clones that belong to a watched future inside this one.
    pub(crate) alive_in_children: usize,
    pub(crate) wakes: usize,
    pub(crate) last_wake: Option<Actor>,
    /// Since the latest poll began.
    pub(crate) wakes_of_latest: usize,
    pub(crate) wakes_of_old: usize,
    pub(crate) wakes_by_own_poll: usize,
}

#[derive(Clone, Debug, Default)]
pub(crate) enum State {
    #[default]
    New,
    /// A poll has begun here and not returned.
    Polling(Arc<Place>),
    Pending,
    Ready,
    Panicked,
}

/// The watched future that polls another one.
#[derive(Clone, Debug)]
pub(crate) struct Parent {
    pub(crate) task: Arc<Task>,
    /// How many polls it had had by then, including the one that was going on.
    pub(crate) polls: usize,
    /// Whether it lends its own waker, so that waking the child wakes the parent.
    pub(crate) lends: bool,
}

/// Who did something to a waker.
#[derive(Clone, Debug)]
pub(crate) enum Actor {
    OwnPoll,
    /// The poll of another task.
    PollOf(Arc<Task>),
    Thread(Arc<Place>),
}

/// One event at a task.
pub(crate) struct Seen<'a> {
    pub(crate) what: &'a What,
    /// Whether it is being polled on this thread.
    pub(crate) own_poll: bool,
    /// The task that is being polled on this thread, if it is another one.
    pub(crate) poll_of: Option<&'a Arc<Task>>,
    /// Whether it happened to the waker of a watched future inside this one.
    pub(crate) in_child: bool,
}

impl Facts {
    pub(crate) fn note(&mut self, seen: &Seen<'_>) {
        match *seen.what {
            What::PollAfterReady => self.polls_after_ready += 1,
            What::Drop => self.dropped = true,
            What::Keep { waker } => {
                self.kept += 1;
                self.kept_of_latest += usize::from(waker == self.latest);
                match self.clones_of(waker) {
                    Some(clones) => *clones += 1,
                    None => self.alive.push((waker, 1)),
                }
                self.alive_in_children += usize::from(seen.in_child);
            }
            What::Release { waker } => {
                self.release(waker, seen);
                if waker == self.latest && !matches!(self.state, State::Polling(_)) {
                    self.released = Some(Actor::of(seen));
                }
            }
            What::Wake {
                waker, by_value, ..
            } => {
                if by_value {
                    self.release(waker, seen);
                }
                self.wake(waker, seen);
            }
            _ => {}
        }
    }

    /// Polls for which the watchdog was not the reason.
    pub(crate) fn own_polls(&self) -> usize {
        self.polls - self.provoked
    }

    /// Whether it was dropped without having been finished.
    pub(crate) fn cancelled(&self) -> bool {
        self.dropped && matches!(self.state, State::New | State::Pending)
    }

    /// Whether nothing can happen to it any more that a message would tell.
    pub(crate) fn is_over(&self) -> bool {
        self.dropped && self.alive.is_empty() && !matches!(self.state, State::Panicked)
    }

    /// What was dropped does not keep others, which may keep it.
    pub(crate) fn forget(&mut self) {
        if !matches!(self.state, State::Panicked) {
            (self.parent, self.last_wake, self.released) = (None, None, None);
        }
    }

    pub(crate) fn alive(&self) -> usize {
        self.alive.iter().map(|(_, clones)| clones).sum()
    }

    pub(crate) fn alive_of_latest(&self) -> usize {
        let mut alive = self.alive.iter();
        let latest = alive.find(|(waker, _)| *waker == self.latest);
        latest.map_or(0, |(_, clones)| *clones)
    }

    /// How many clones there are of this waker, if there are any.
    fn clones_of(&mut self, waker: u32) -> Option<&mut usize> {
        let mut alive = self.alive.iter_mut();
        let found = alive.find(|(number, _)| *number == waker)?;
        Some(&mut found.1)
    }

    /// With the waker of this number. `is_provoked`: the watchdog itself is the reason for it.
    pub(crate) fn begin_poll(&mut self, waker: u32, is_provoked: bool) {
        let wakes = self.wakes_of_latest + self.wakes_of_old;
        if self.polls > 0 && wakes == 0 {
            if is_provoked {
                self.provoked += 1;
            } else {
                self.unprompted += 1;
            }
        }
        if wakes > 0 && wakes == self.wakes_by_own_poll {
            self.self_prompted += 1;
        }
        (self.wakes_of_latest, self.wakes_of_old) = (0, 0);
        self.wakes_by_own_poll = 0;
        (self.latest, self.kept_of_latest) = (waker, 0);
        self.released = None;
        self.polls += 1;
        self.state = State::Polling(Place::here());
    }

    pub(crate) fn end_poll(&mut self, outcome: &What) {
        self.state = match outcome {
            What::Ready => State::Ready,
            What::Panic => State::Panicked,
            _ => State::Pending,
        };
    }

    fn wake(&mut self, waker: u32, seen: &Seen<'_>) {
        self.wakes += 1;
        if waker == self.latest {
            self.wakes_of_latest += 1;
        } else {
            self.wakes_of_old += 1;
        }
        self.wakes_by_own_poll += usize::from(seen.own_poll);
        self.last_wake = Some(Actor::of(seen));
    }

    fn release(&mut self, waker: u32, seen: &Seen<'_>) {
        if let Some(clones) = self.clones_of(waker) {
            *clones -= 1;
        }
        self.alive.retain(|(_, clones)| *clones > 0);
        if seen.in_child {
            self.alive_in_children = self.alive_in_children.saturating_sub(1);
        }
    }
}

impl Actor {
    fn of(seen: &Seen<'_>) -> Self {
        match seen.poll_of {
            _ if seen.own_poll => Self::OwnPoll,
            Some(task) => Self::PollOf(task.clone()),
            None => Self::Thread(Place::here()),
        }
    }
}

/// One that holds, or that waits.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    /// Who has it, or who made what was not used yet.
    pub(crate) who: Actor,
    pub(crate) at: Line,
    pub(crate) has: Has,
    /// How many it has, or asks for.
    pub(crate) many: usize,
    /// In which poll of the task.
    pub(crate) poll: usize,
    /// How many tasks had been made by then.
    pub(crate) tasks: usize,
}

/// How sure it is who holds something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "tokio"),
    expect(dead_code, reason = "only tokio's names know of some")
)]
pub(crate) enum Has {
    Now,
    /// A place in a channel.
    Reserved,
    /// An end of a channel may have been given away since it was used.
    UsedLast,
    /// An owned guard may have been given away since.
    Took,
    /// What was made was perhaps moved to another task.
    NotUsedYet,
    /// It has given up a permit without giving it back.
    Forgot,
    /// It has woken all who waited by then.
    Notified,
    /// It has woken one of them, or the next who comes.
    NotifiedOne,
    /// It has made a library's own of it, and who uses that is not seen.
    Unwatched,
    /// Nothing: it waits.
    Waits,
    /// The same, by the waker of a set of futures, which may wait for more.
    WaitsInSet,
    /// The last of the holders was gone when it asked.
    InVain,
}

impl Has {
    /// Whether it has something, and doesn't wait for it.
    pub(crate) fn is_hold(self) -> bool {
        !matches!(self, Has::Waits | Has::WaitsInSet | Has::InVain)
    }

    /// Whether this is the one who has it now, or who waits.
    pub(crate) fn is_certain(self) -> bool {
        use Has::{Forgot, NotUsedYet, Notified, NotifiedOne, Took, Unwatched};
        !matches!(
            self,
            Took | NotUsedYet | Forgot | Notified | NotifiedOne | Unwatched
        )
    }
}

impl Use {
    pub(crate) fn task(&self) -> Option<&Arc<Task>> {
        match &self.who {
            Actor::PollOf(task) => Some(task),
            _ => None,
        }
    }

    pub(crate) fn is_of(&self, task: &Arc<Task>) -> bool {
        self.task().is_some_and(|user| Arc::ptr_eq(user, task))
    }

    /// Whether it still was a wait in the latest of so many polls of this task. One that is kept may be polled no more.
    pub(crate) fn waits_in(&self, task: &Arc<Task>, polls: usize) -> bool {
        self.is_of(task) && (self.poll == polls || self.has != Has::Waits)
    }
}
