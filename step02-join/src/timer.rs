//! A timer: a future that is ready once its time is up. A thread does its sleeping.

use std::{
    convert::Infallible,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread,
    time::Duration,
};

use crate::{Poll, SimpleFuture};

const UNPOISONED: &str = "no code panics while it holds this lock";

static THREADS: AtomicUsize = AtomicUsize::new(0);

// ANCHOR: slot
/// The `wake` to call when the time is up, or `None` once the time is up.
type WakeSlot = Mutex<Option<fn()>>;
// ANCHOR_END: slot

/// Becomes ready once `duration` has passed since the first poll.
///
/// Each timer has a thread of its own. Dropping the timer ends the thread.
///
/// ```
/// use step02_join::{RunLoop, Timer};
/// use std::time::Duration;
///
/// RunLoop::new([Timer::new(Duration::from_millis(5))]).run();
/// ```
// ANCHOR: timer
#[derive(Debug)]
pub struct Timer {
    duration: Duration,
    /// `None` before the first poll.
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    slot: Arc<WakeSlot>,
    /// Nothing is ever sent. When this end is dropped, the thread notices and stops sleeping.
    _alive: Sender<Infallible>,
}
// ANCHOR_END: timer

impl Timer {
    /// A timer that is not running yet. Its time runs from the first poll.
    pub fn new(duration: Duration) -> Timer {
        Timer {
            duration,
            running: None,
        }
    }

    /// How many threads the timers of this process have started so far.
    pub fn threads_started() -> usize {
        THREADS.load(Ordering::Relaxed)
    }

    // ANCHOR: start
    fn start(&self, wake: fn()) -> Running {
        let slot = Arc::new(Mutex::new(Some(wake)));
        let (alive, dropped) = mpsc::channel();
        let (duration, thread_slot) = (self.duration, Arc::clone(&slot));
        thread::spawn(move || {
            if dropped.recv_timeout(duration) == Err(RecvTimeoutError::Timeout) {
                // This statement releases the lock, because `wake` is code that may want it.
                let wake = thread_slot.lock().expect(UNPOISONED).take();
                if let Some(wake) = wake {
                    wake();
                }
            }
        });
        THREADS.fetch_add(1, Ordering::Relaxed);
        Running {
            slot,
            _alive: alive,
        }
    }
    // ANCHOR_END: start
}

impl SimpleFuture for Timer {
    type Output = ();

    /// # Panics
    ///
    /// At the first poll, if the operating system has no thread left.
    // ANCHOR: poll
    fn poll(&mut self, wake: fn()) -> Poll<()> {
        if self.duration.is_zero() {
            return Poll::Ready(());
        }
        let Some(running) = &self.running else {
            self.running = Some(self.start(wake));
            return Poll::Pending;
        };
        // The thread takes its `wake` under this lock. So either it has taken the earlier one, and
        // the time is up, or it will find this one.
        match &mut *running.slot.lock().expect(UNPOISONED) {
            Some(earlier) => {
                *earlier = wake;
                Poll::Pending
            }
            None => Poll::Ready(()),
        }
    }
    // ANCHOR_END: poll
}
