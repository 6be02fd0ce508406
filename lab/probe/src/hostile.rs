//! A waker that does something of its own while it is cloned, woken or dropped.
//!
//! To a future, a waker is code that it does not control, which may lock, block, panic, or use the very thing that keeps it. What
//! holds a lock at that moment passes every test with an ordinary waker, and deadlocks with this one.
//!
//! ```
//! use why_pending::hostile::{Hostile, Moment, elsewhere};
//! use std::{
//!     sync::{Arc, Mutex},
//!     task::Waker,
//! };
//!
//! /// Keeps the waker of the latest poll.
//! #[derive(Default)]
//! struct Latest(Mutex<Option<Waker>>);
//!
//! impl Latest {
//!     fn keep(&self, waker: Waker) {
//!         let earlier = self.0.lock().unwrap().replace(waker);
//!         // The lock is free again. With `*self.0.lock().unwrap() = Some(waker)`, this example hangs.
//!         drop(earlier);
//!     }
//! }
//!
//! let (latest, hostile) = (Arc::new(Latest::default()), Hostile::new());
//! latest.keep(hostile.waker());
//! let used_by_its_drop = Arc::clone(&latest);
//! hostile.arm(Moment::Drop, move || {
//!     // On another thread, so that a lock which is held here is waited for.
//!     elsewhere(|| used_by_its_drop.keep(Waker::noop().clone()));
//! });
//! latest.keep(Waker::noop().clone());
//! assert!(hostile.acted());
//! ```

use std::{
    ops::Deref,
    panic::resume_unwind,
    sync::{Arc, atomic::Ordering::SeqCst},
    thread,
};

use crate::CountingWaker;
pub use crate::see::tally::Moment;

/// Makes wakers that count, and that do a chosen thing at a chosen moment, before that is counted. Clones share both.
#[derive(Clone, Debug, Default)]
pub struct Hostile(CountingWaker);

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
        let action = move |_| action();
        self.0.tally.armed.arm(Some(moment), Arc::new(action));
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

/// Runs `f` on another thread, which has none of the locks of this one, and waits for it. A panic in `f` goes on here.
pub fn elsewhere<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| scope.spawn(f).join()).unwrap_or_else(|payload| resume_unwind(payload))
}
