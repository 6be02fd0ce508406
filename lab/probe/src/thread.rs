//! [`std::thread::park`] and [`unpark`](std::thread::Thread::unpark) that count, and that a test can act behind.

use std::{
    cell::OnceCell,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

pub use std::thread::{sleep, spawn, yield_now};

use crate::gap;

thread_local!(static PARKS: OnceCell<Arc<AtomicUsize>> = const { OnceCell::new() });

fn parks() -> Arc<AtomicUsize> {
    PARKS.with(|parks| Arc::clone(parks.get_or_init(Arc::default)))
}

/// [`std::thread::Thread`]. That it has called [`unpark`](Thread::unpark) is a gap for [`in_gap`](crate::in_gap).
///
/// ```
/// let here = probe::thread::current();
/// here.unpark();
/// probe::thread::park();
/// assert_eq!(here.parks(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Thread(std::thread::Thread, Arc<AtomicUsize>);

/// The thread that calls this.
pub fn current() -> Thread {
    Thread(std::thread::current(), parks())
}

/// Blocks this thread until its token is there, or for no reason; and takes the token.
pub fn park() {
    parks().fetch_add(1, SeqCst);
    std::thread::park();
}

/// The same, and for no longer than so.
pub fn park_timeout(limit: Duration) {
    parks().fetch_add(1, SeqCst);
    std::thread::park_timeout(limit);
}

impl Thread {
    /// Leaves the thread its token, which ends its sleep or prevents the next one.
    pub fn unpark(&self) {
        self.0.unpark();
        gap::pass();
    }

    /// How many times it has called [`park`].
    pub fn parks(&self) -> usize {
        self.1.load(SeqCst)
    }
}
