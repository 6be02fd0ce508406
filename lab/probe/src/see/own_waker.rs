//! The waker that a watched future gets to see.

use std::{
    sync::{Arc, OnceLock},
    task::Waker,
};

use crate::see::{
    event::{Act, What},
    raw_waker::{Behind, Observed, behind},
    task::{Pokes, Task},
};

/// What stands behind a waker that the future inside gets to see.
#[derive(Debug)]
pub(crate) struct OwnWaker {
    pub(crate) task: Arc<Task>,
    pub(crate) number: u32,
    pub(crate) executors: Executors,
    /// Of which poll with a fresh waker: where it is cloned is to be seen. 0: of none.
    pub(crate) traced: usize,
}

/// The waker that came with a poll.
#[derive(Debug)]
pub(crate) enum Executors {
    /// That of a watched future, which polls this one. It sees what happens to the wakers of this one.
    Watched(Arc<Observed>),
    Other(Waker),
}

impl Executors {
    pub(crate) fn of(waker: &Waker) -> Executors {
        behind(waker, |behind| match behind {
            Behind::Lent(lent) => Executors::Watched(lent.observed().clone()),
            Behind::Observed(observed) if observed.own().is_some() => {
                Executors::Watched(observed.clone())
            }
            _ => Executors::Other(waker.clone()),
        })
    }

    pub(crate) fn is(&self, waker: &Waker) -> bool {
        let known = match self {
            Self::Watched(observed) => observed,
            Self::Other(other) => return other.will_wake(waker),
        };
        behind(waker, |behind| match behind {
            Behind::Observed(observed) => Arc::ptr_eq(observed, known),
            Behind::Lent(lent) => lent.made().is_some_and(|made| Arc::ptr_eq(made, known)),
            Behind::Foreign => false,
        })
    }
}

/// The watched future that has handed this waker on, if one has.
pub(crate) fn task_of<T>(waker: &Waker, f: impl FnOnce(&Arc<Task>) -> T) -> Option<T> {
    behind(waker, |behind| match behind {
        Behind::Lent(lent) => Some(f(lent.task)),
        Behind::Observed(observed) => observed.own().map(|own| f(&own.task)),
        Behind::Foreign => None,
    })
}

/// The waker that a future gets to see in one poll. Most polls are over without a clone of it, and then it takes no memory of its own.
#[derive(Debug)]
pub(crate) struct Lent<'a> {
    pub(crate) task: &'a Arc<Task>,
    pub(crate) number: u32,
    /// The waker that came with the poll.
    pub(crate) executors: &'a Waker,
    /// What its clones share: that of an earlier poll, if it is still kept.
    earlier: Option<Arc<Observed>>,
    /// Or else from the first clone on.
    made: OnceLock<Arc<Observed>>,
}

impl<'a> Lent<'a> {
    pub(crate) fn new(
        task: &'a Arc<Task>,
        number: u32,
        executors: &'a Waker,
        earlier: Option<Arc<Observed>>,
    ) -> Lent<'a> {
        Lent {
            task,
            number,
            executors,
            earlier,
            made: OnceLock::new(),
        }
    }

    /// A fresh one, of the poll with this number.
    pub(crate) fn traced(
        task: &'a Arc<Task>,
        number: u32,
        executors: &'a Waker,
        traced: usize,
    ) -> Lent<'a> {
        let mut lent = Lent::new(task, number, executors, None);
        lent.earlier = Some(lent.new_waker(traced));
        lent
    }

    fn new_waker(&self, traced: usize) -> Arc<Observed> {
        Arc::new(Observed::Watched(OwnWaker {
            task: self.task.clone(),
            number: self.number,
            executors: Executors::of(self.executors),
            traced,
        }))
    }

    pub(crate) fn made(&self) -> Option<&Arc<Observed>> {
        self.earlier.as_ref().or_else(|| self.made.get())
    }

    pub(crate) fn observed(&self) -> &Arc<Observed> {
        let make = || self.made.get_or_init(|| self.new_waker(0));
        self.made().unwrap_or_else(make)
    }

    /// It is woken by reference. `in_child`: so is the waker of a watched future inside this one.
    pub(crate) fn wake(&self, in_child: bool) {
        if let Some(made) = self.made() {
            return made.act(Act::WakeByRef, in_child);
        }
        if !self.task.poke.provokes(0) {
            let what = wake(self.number, Act::WakeByRef);
            self.task.note(what, in_child);
        }
        behind(self.executors, |behind| match behind {
            Behind::Lent(outer) => outer.wake(true),
            Behind::Observed(outer) if outer.own().is_some() => outer.act(Act::WakeByRef, true),
            _ => self.executors.wake_by_ref(),
        });
    }
}

impl OwnWaker {
    pub(crate) fn note(&self, act: Act, in_child: bool) {
        let waker = self.number;
        let is_wake = matches!(act, Act::WakeByValue | Act::WakeByRef);
        match act {
            Act::Clone => self.task.note(What::Keep { waker }, in_child),
            Act::Drop => self.task.note(What::Release { waker }, in_child),
            // What the watchdog itself has caused is no evidence.
            _ if self.task.poke.provokes(self.traced) => {
                if act == Act::WakeByValue {
                    self.task.note(What::Release { waker }, in_child);
                }
            }
            _ => self.task.note(wake(waker, act), in_child),
        }
        match act {
            Act::Clone if self.traced > 0 && !in_child => self.task.poke.cloned(),
            Act::Drop if self.traced > 0 && !in_child => self.task.poke.dropped(self.traced),
            // It asks to be polled again, and keeps no waker for that.
            _ if is_wake && self.traced > 0 && !in_child => self.task.poke.woken(self.traced),
            _ => {}
        }
        match &self.executors {
            Executors::Watched(observed) => observed.act(act, true),
            Executors::Other(waker) if is_wake => waker.wake_by_ref(),
            Executors::Other(_) => {}
        }
    }
}

fn wake(waker: u32, act: Act) -> What {
    What::Wake {
        waker,
        by_value: act == Act::WakeByValue,
        during: None,
    }
}

impl Pokes for Observed {
    fn poke(&self) {
        match self.own().map(|own| &own.executors) {
            Some(Executors::Watched(observed)) => observed.poke(),
            Some(Executors::Other(waker)) => waker.wake_by_ref(),
            None => {}
        }
    }
}
