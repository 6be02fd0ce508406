//! A timer whose thread starts in `new`, before its first poll.
//!
//! Two such timers that are awaited one after the other run side by side: 100 and 200 ms take 200. That looks as if
//! `.await` did not wait, or as if futures were not lazy.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

use futures::executor::block_on;

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "thread-before-first-poll",
    title: "a timer that runs before it is polled",
    was_in: "async-book, `TimerFuture::new` in examples/02_03_timer",
    breaks: "No thread is started before the first poll.",
    chapter: 2,
    fails: Fails::Prints("made 2 timers, polled none: 2 are running"),
    why: "the work was begun by `new` rather than by `poll`, so a timer that is made and never awaited costs a \
          thread all the same. The fixed version starts its thread at the first poll.",
    passes: "made 2 timers, polled none: 0 are running",
    broken: || show(TimerFuture::new),
    repaired: || show(LazyTimer::new),
};

/// How many threads were started.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

#[derive(Default)]
struct Shared {
    fired: bool,
    waker: Option<Waker>,
}

fn start(duration: Duration, shared: Arc<Mutex<Shared>>) {
    RUNNING.fetch_add(1, Ordering::Relaxed);
    thread::spawn(move || {
        thread::sleep(duration);
        let mut state = shared.lock().unwrap();
        state.fired = true;
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    });
}

fn poll_shared(shared: &Mutex<Shared>, cx: &Context<'_>) -> Poll<()> {
    let mut state = shared.lock().unwrap();
    if state.fired {
        return Poll::Ready(());
    }
    state.waker = Some(cx.waker().clone());
    Poll::Pending
}

// ANCHOR: broken
struct TimerFuture {
    shared: Arc<Mutex<Shared>>,
}

impl TimerFuture {
    fn new(duration: Duration) -> TimerFuture {
        let shared = Arc::new(Mutex::new(Shared::default()));
        start(duration, Arc::clone(&shared));
        TimerFuture { shared }
    }
}

impl Future for TimerFuture {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        poll_shared(&self.shared, cx)
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
struct LazyTimer {
    duration: Duration,
    /// `None` before the first poll.
    shared: Option<Arc<Mutex<Shared>>>,
}

impl LazyTimer {
    fn new(duration: Duration) -> LazyTimer {
        let shared = None;
        LazyTimer { duration, shared }
    }
}

impl Future for LazyTimer {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let duration = self.duration;
        let shared = self.shared.get_or_insert_with(|| {
            let shared = Arc::default();
            start(duration, Arc::clone(&shared));
            shared
        });
        poll_shared(shared, cx)
    }
}
// ANCHOR_END: repaired

fn show<T: Future<Output = ()>>(timer: fn(Duration) -> T) {
    let first = timer(Duration::from_millis(10));
    let second = timer(Duration::from_millis(10));
    let running = RUNNING.load(Ordering::Relaxed);
    println!("made 2 timers, polled none: {running} are running");
    block_on(async {
        first.await;
        second.await;
    });
}
