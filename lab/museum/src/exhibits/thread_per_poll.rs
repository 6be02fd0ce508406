//! A delay that starts a thread at every poll.
//!
//! It needs the latest waker, and this is how it gets one. But polls come for other reasons too: fifty delays that are
//! joined in one task are all polled whenever one of them is over.

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

use crate::{Breaks, Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "thread-per-poll",
    title: "a delay that starts a thread at each poll",
    was_in: "document 004, the second `Delay` (D43)",
    breaks: Breaks::Clause("no_thread_per_poll"),
    chapter: 7,
    fails: Fails::Prints("100 polls started 100 threads"),
    why: "each poll hands its waker to a thread of its own, and the threads of the earlier polls sleep on. \
          The twin starts one thread, which finds the latest waker in a place that both share.",
    passes: "100 polls started 1 thread",
    broken: || show(Delay),
    repaired: || show(OneThread::default()),
};

const LONG: Duration = Duration::from_millis(50);

static STARTED: AtomicUsize = AtomicUsize::new(0);

fn spawn(run: impl FnOnce() + Send + 'static) {
    STARTED.fetch_add(1, Ordering::Relaxed);
    thread::spawn(run);
}

// ANCHOR: broken
struct Delay;

impl Future for Delay {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let waker = cx.waker().clone();
        spawn(move || {
            thread::sleep(LONG);
            waker.wake();
        });
        Poll::Pending
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
#[derive(Default)]
struct OneThread {
    latest: Option<Arc<Mutex<Waker>>>,
}

impl Future for OneThread {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if let Some(latest) = &self.latest {
            latest.lock().unwrap().clone_from(cx.waker());
            return Poll::Pending;
        }
        let latest = Arc::new(Mutex::new(cx.waker().clone()));
        self.latest = Some(Arc::clone(&latest));
        spawn(move || {
            thread::sleep(LONG);
            let waker = latest.lock().unwrap().clone();
            waker.wake();
        });
        Poll::Pending
    }
}
// ANCHOR_END: repaired

/// Polls before the time is up. What is done when it is up has been left out of both.
fn show(mut delay: impl Future<Output = ()> + Unpin) {
    for _ in 0..100 {
        let mut cx = Context::from_waker(Waker::noop());
        assert!(Pin::new(&mut delay).poll(&mut cx).is_pending());
    }
    match STARTED.load(Ordering::Relaxed) {
        1 => println!("100 polls started 1 thread"),
        threads => println!("100 polls started {threads} threads"),
    }
}
