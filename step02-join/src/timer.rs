//! Something to wait for: a timer, with a thread that sleeps for it.

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

/// Whom to call when time is up. `None`: time is up.
type WakeSlot = Mutex<Option<fn()>>;

/// Becomes ready once `duration` has passed since the first poll.
///
/// Each timer costs a thread. Dropping the timer ends the thread.
///
/// ```
/// use step02_join::{RunLoop, Timer};
/// use std::time::Duration;
///
/// RunLoop::new([Timer::new(Duration::from_millis(5))]).run();
/// ```
#[derive(Debug)]
pub struct Timer {
    duration: Duration,
    /// `None` before the first poll.
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    slot: Arc<WakeSlot>,
    /// Nothing is ever sent. The thread sees that this end is gone, and stops sleeping.
    _alive: Sender<Infallible>,
}

impl Timer {
    /// A timer that has not been started: its time runs from the first poll.
    pub fn new(duration: Duration) -> Timer {
        Timer {
            duration,
            running: None,
        }
    }

    /// How many threads all timers of this process have started so far.
    pub fn threads_started() -> usize {
        THREADS.load(Ordering::Relaxed)
    }

    fn start(&self, wake: fn()) -> Running {
        let running_slot = Arc::new(Mutex::new(Some(wake)));
        let (alive, dropped) = mpsc::channel();
        let (duration, slot) = (self.duration, Arc::clone(&running_slot));
        thread::spawn(move || {
            if dropped.recv_timeout(duration) == Err(RecvTimeoutError::Timeout) {
                // The lock is released before the call: `wake` may do whatever it likes.
                let wake = slot.lock().expect(UNPOISONED).take();
                if let Some(wake) = wake {
                    wake();
                }
            }
        });
        THREADS.fetch_add(1, Ordering::Relaxed);
        Running {
            slot: running_slot,
            _alive: alive,
        }
    }
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
