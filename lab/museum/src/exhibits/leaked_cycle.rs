//! A task that keeps its future after the future is finished, and a future that keeps its waker.
//!
//! The waker owns the task, the task owns the future, and the future owns the waker. None of the counts in this cycle
//! ever reaches zero.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Wake, Waker},
};

use crate::{Exhibit, Fails, props::BoxFuture};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "leaked-cycle",
    title: "a finished task owns its own waker, and stays forever",
    was_in: "\"Async in depth\", `TaskFuture` and the third `Delay`",
    breaks: "A future is dropped as soon as it is ready.",
    chapter: 7,
    fails: Fails::Prints("100 tasks are done, futures still there: 100"),
    why: "no other code has the task any more, and yet it has an owner, which is itself. The fixed version drops \
          the future as soon as it is ready. That breaks the cycle, and it also frees what the future held.",
    passes: "100 tasks are done, futures still there: 0",
    broken: || show(poll_broken),
    repaired: || show(poll_repaired),
};

struct Task {
    /// `None`: dropped.
    future: Mutex<Option<BoxFuture>>,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {}
}

// ANCHOR: broken
fn poll_broken(task: &Task, cx: &mut Context<'_>) {
    let mut slot = task.future.lock().unwrap();
    if let Some(future) = &mut *slot {
        let _ = future.as_mut().poll(cx);
    }
}
// ANCHOR_END: broken

fn poll_repaired(task: &Task, cx: &mut Context<'_>) {
    let mut slot = task.future.lock().unwrap();
    if let Some(future) = &mut *slot {
        if future.as_mut().poll(cx).is_ready() {
            *slot = None;
        }
    }
}

/// As a delay does: keeps the waker of its latest poll.
struct Delay {
    waker: Option<Waker>,
    _alive: Arc<()>,
}

impl Future for Delay {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.waker = Some(cx.waker().clone());
        Poll::Ready(())
    }
}

fn show(poll: fn(&Task, &mut Context<'_>)) {
    let alive = Arc::new(());
    for _ in 0..100 {
        let (waker, _alive) = (None, alive.clone());
        let future: BoxFuture = Box::pin(Delay { waker, _alive });
        let task = Arc::new(Task {
            future: Mutex::new(Some(future)),
        });
        let waker = Waker::from(Arc::clone(&task));
        poll(&task, &mut Context::from_waker(&waker));
    }
    let left = Arc::strong_count(&alive) - 1;
    println!("100 tasks are done, futures still there: {left}");
}
