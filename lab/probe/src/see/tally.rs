//! What a waker that only counts has counted, and what a hostile one does besides.

use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
};

use crate::see::event::Act;

/// When in the life of a waker something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The waker is being cloned.
    Clone,
    /// The waker is being woken, by value or by reference.
    Wake,
    /// The waker is being dropped without being woken.
    Drop,
}

/// The counts, and what [`Hostile`](crate::hostile::Hostile) adds.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) handed_out: AtomicUsize,
    /// Of each [`Act`].
    acts: [AtomicUsize; 4],
    pub(crate) armed: Armed,
}

impl Tally {
    pub(crate) fn note(&self, act: Act) {
        let moment = match act {
            Act::Clone => Moment::Clone,
            Act::WakeByValue | Act::WakeByRef => Moment::Wake,
            Act::Drop => Moment::Drop,
        };
        if moment == Moment::Clone {
            // A clone that panics has made no waker.
            self.armed.act(moment);
            self.count(act);
        } else {
            // A wake or a drop that panics is over all the same, and so is the waker.
            let _counts = CountsAtTheEnd(self, act);
            self.armed.act(moment);
        }
    }

    fn count(&self, act: Act) {
        self.acts[act as usize].fetch_add(1, SeqCst);
    }

    pub(crate) fn counted(&self, act: Act) -> usize {
        self.acts[act as usize].load(SeqCst)
    }
}

struct CountsAtTheEnd<'a>(&'a Tally, Act);

impl Drop for CountsAtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.count(self.1);
    }
}

pub(crate) type Action = Arc<dyn Fn(Moment) + Send + Sync>;

/// What is done at a moment, if anything is.
#[derive(Default)]
pub(crate) struct Armed {
    /// Without a moment, it acts at all three.
    with: Mutex<Option<(Option<Moment>, Action)>>,
    pub(crate) acted: AtomicBool,
}

impl fmt::Debug for Armed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Armed")
    }
}

impl Armed {
    pub(crate) fn arm(&self, moment: Option<Moment>, action: Action) {
        self.acted.store(false, SeqCst);
        self.put(Some((moment, action)));
    }

    pub(crate) fn put(&self, armed: Option<(Option<Moment>, Action)>) {
        let mut place = self.with.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = std::mem::replace(&mut *place, armed);
        // What it owns may include a waker of this very kind, whose drop takes this lock.
        drop(place);
        drop(earlier);
    }

    fn act(&self, moment: Moment) {
        let place = self.with.lock().unwrap_or_else(PoisonError::into_inner);
        let armed = place.clone();
        drop(place);
        if let Some((_, action)) = armed.filter(|(at, _)| at.is_none_or(|at| at == moment)) {
            self.acted.store(true, SeqCst);
            action(moment);
        }
    }
}
