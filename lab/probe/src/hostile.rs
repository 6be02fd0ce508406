//! A waker that does something of its own while it is cloned, woken or dropped.
//!
//! To a future, a waker is code that it does not control, which may lock, block, panic, or use the very thing that keeps it. What
//! holds a lock at that moment passes every test with an ordinary waker, and deadlocks with this one.

use std::{
    fmt,
    ops::Deref,
    panic::resume_unwind,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
};

use crate::{
    counting_waker::{CountingWaker, Tally},
    raw_waker::Act,
};

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

/// Makes wakers that count, and that do a chosen thing at a chosen moment, before that is counted. Clones share both.
#[derive(Clone, Debug, Default)]
pub struct Hostile(CountingWaker);

type Action = Arc<dyn Fn(Moment) + Send + Sync>;

#[derive(Default)]
pub(crate) struct Armed {
    /// Without a moment, it acts at all three.
    with: Mutex<Option<(Option<Moment>, Action)>>,
    acted: AtomicBool,
}

impl Deref for Hostile {
    type Target = CountingWaker;

    fn deref(&self) -> &CountingWaker {
        &self.0
    }
}

impl Hostile {
    /// Its wakers only count, until it is armed.
    pub fn new() -> Hostile {
        Hostile::default()
    }

    /// From now on, each of its wakers runs `action` at this moment of its life, on the thread that clones, wakes or drops it, in
    /// the middle of that. Anything it was armed with before is dropped.
    pub fn arm(&self, moment: Moment, action: impl Fn() + Send + Sync + 'static) {
        let action: Action = Arc::new(move |_| action());
        self.0.tally.armed.arm(Some(moment), action);
    }

    /// As [`arm`](Hostile::arm), but at every moment of their lives, which `action` is given.
    pub fn arm_always(&self, action: impl Fn(Moment) + Send + Sync + 'static) {
        self.0.tally.armed.arm(None, Arc::new(action));
    }

    /// Drops what it was armed with. If that owns one of these wakers, it leaks without this call.
    pub fn disarm(&self) {
        self.0.tally.armed.put(None);
    }

    /// Whether it has begun to do what it was last armed with.
    pub fn acted(&self) -> bool {
        self.0.tally.armed.acted.load(SeqCst)
    }
}

impl fmt::Debug for Armed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Armed")
    }
}

impl Armed {
    fn arm(&self, moment: Option<Moment>, action: Action) {
        self.acted.store(false, SeqCst);
        self.put(Some((moment, action)));
    }

    fn put(&self, armed: Option<(Option<Moment>, Action)>) {
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
}

struct CountsAtTheEnd<'a>(&'a Tally, Act);

impl Drop for CountsAtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.count(self.1);
    }
}

/// Runs `f` on another thread, which has none of the locks of this one, and waits for it. A panic in `f` goes on here.
pub fn elsewhere<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| scope.spawn(f).join()).unwrap_or_else(|payload| resume_unwind(payload))
}
