//! Four versions of one future, which waits until a given moment, prints `Hello world` and returns `"done"`.
//!
//! Each version fixes one weakness of the version before. Versions 2 and 4 wait on a thread that a `Sleeper` owns.

use std::{
    convert::Infallible,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread,
    time::Instant,
};

use crate::TimerFuture;

pub mod v1_busy;
pub mod v2_thread_per_poll;
pub mod v3_latest_waker;
pub mod v4_notify;

static THREADS: AtomicUsize = AtomicUsize::new(0);

/// The number of threads that all delays of this process have started so far.
pub fn threads_started() -> usize {
    THREADS.load(Ordering::Relaxed) + TimerFuture::threads_started()
}

/// The owner of a sleeping thread. When it is dropped, the thread ends early and does not call its closure.
#[derive(Debug)]
struct Sleeper {
    /// Nothing is ever sent. Dropping this end disconnects the channel, which ends the
    /// thread's `recv_timeout`.
    _alive: Sender<Infallible>,
}

impl Sleeper {
    /// Starts a thread that sleeps until `when` and then calls `act`.
    ///
    /// # Panics
    ///
    /// If the operating system cannot start another thread.
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
