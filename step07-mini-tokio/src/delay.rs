//! A future that waits until a point in time, says `Hello world` and is `"done"`: four times, each mending one
//! weakness of the one before.

use std::{
    convert::Infallible,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread,
    time::Instant,
};

pub mod v1_busy;
pub mod v2_thread_per_poll;
pub mod v3_latest_waker;
pub mod v4_notify;

static THREADS: AtomicUsize = AtomicUsize::new(0);

/// How many threads all delays of this process have started so far.
pub fn threads_started() -> usize {
    THREADS.load(Ordering::Relaxed)
}

/// Keeps a sleeping thread alive. Dropped, the thread ends and does not act.
#[derive(Debug)]
struct Sleeper {
    /// Nothing is ever sent. The thread sees that this end is gone, and stops sleeping.
    _alive: Sender<Infallible>,
}

impl Sleeper {
    /// Starts a thread that sleeps until `when` and then acts.
    ///
    /// # Panics
    ///
    /// If the operating system has no thread left.
    fn start(when: Instant, act: impl FnOnce() + Send + 'static) -> Sleeper {
        let (alive, dropped) = mpsc::channel();
        thread::spawn(move || {
            let left = when.saturating_duration_since(Instant::now());
            if dropped.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                act();
            }
        });
        THREADS.fetch_add(1, Ordering::Relaxed);
        Sleeper { _alive: alive }
    }
}
