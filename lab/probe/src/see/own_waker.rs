//! The waker that a watched future gets to see.

use std::{sync::Arc, task::Waker};

use crate::see::{
    event::{Act, What},
    raw_waker::Observed,
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
    pub(crate) fn is(&self, waker: &Waker) -> bool {
        match self {
            Self::Watched(observed) => std::ptr::eq(waker.data(), Arc::as_ptr(observed).cast()),
            Self::Other(other) => other.will_wake(waker),
        }
    }
}

impl OwnWaker {
    pub(crate) fn note(&self, act: Act, in_child: bool) {
        let waker = self.number;
        let is_wake = matches!(act, Act::WakeByValue | Act::WakeByRef);
        let by_value = act == Act::WakeByValue;
        match act {
            Act::Clone => self.task.note(What::Keep { waker }, in_child),
            Act::Drop => self.task.note(What::Release { waker }, in_child),
            // What the watchdog itself has caused is no evidence.
            _ if self.task.poke.provokes(self.traced) => {
                if by_value {
                    self.task.note(What::Release { waker }, in_child);
                }
            }
            _ => {
                let during = None;
                let what = What::Wake {
                    waker,
                    by_value,
                    during,
                };
                self.task.note(what, in_child);
            }
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

impl Pokes for Observed {
    fn poke(&self) {
        match self.own().map(|own| &own.executors) {
            Some(Executors::Watched(observed)) => observed.poke(),
            Some(Executors::Other(waker)) => waker.wake_by_ref(),
            None => {}
        }
    }
}
