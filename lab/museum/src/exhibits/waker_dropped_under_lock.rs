//! A signal that drops the earlier waker while it holds its lock.
//!
//! A waker may be the last owner of its task. Then dropping the waker drops the task, its future, and what the future
//! owns. Here the future owns a guard whose destructor uses the signal.

use std::{
    future::{Future, poll_fn},
    sync::Arc,
    task::{Context, Poll, Waker},
};

use probe::Mutex;

use crate::{Exhibit, Fails, props::Task};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "waker-dropped-under-lock",
    title: "a signal that drops a waker while it holds its lock",
    was_in: "futures-util 0.3.34, `Waiter::register` in src/lock/mutex.rs; here as the smallest signal that does it",
    breaks: "clone and drop no waker while you hold a lock: both run code that you do not control",
    chapter: 5,
    fails: Fails::Hangs("waits inside poll for a lock that its own thread already holds"),
    why: "B's poll takes the lock and replaces A's waker. That waker was the last owner of task A, so A's future \
          is dropped, and so is its guard, which fires the signal. Firing waits for the lock that B's poll holds. \
          The fixed version unlocks before it drops the waker.",
    passes: "A is dropped, its guard has fired the signal, and B is done",
    broken: || show(poll_broken),
    repaired: || show(poll_repaired),
};

#[derive(Default)]
struct Signal {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    fired: bool,
    waker: Option<Waker>,
}

// ANCHOR: broken
fn poll_broken(signal: &Signal, cx: &mut Context<'_>) -> Poll<()> {
    let mut state = signal.state.lock().unwrap();
    if state.fired {
        return Poll::Ready(());
    }
    // This drops the earlier waker, and the lock is held until the function returns.
    state.waker = Some(cx.waker().clone());
    Poll::Pending
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn poll_repaired(signal: &Signal, cx: &mut Context<'_>) -> Poll<()> {
    let waker = cx.waker().clone();
    let mut state = signal.state.lock().unwrap();
    if state.fired {
        drop(state);
        return Poll::Ready(());
    }
    let earlier = state.waker.replace(waker);
    drop(state);
    drop(earlier);
    Poll::Pending
}
// ANCHOR_END: repaired

// ANCHOR: tasks
type PollSignal = fn(&Signal, &mut Context<'_>) -> Poll<()>;

fn fire(signal: &Signal) {
    let mut state = signal.state.lock().unwrap();
    state.fired = true;
    let waker = state.waker.take();
    drop(state);
    if let Some(waker) = waker {
        waker.wake();
    }
}

/// Fires the signal when it is dropped, so that a task that is given up leaves no other task waiting.
struct FiresWhenDropped(Arc<Signal>);

impl Drop for FiresWhenDropped {
    fn drop(&mut self) {
        fire(&self.0);
    }
}

fn wait(signal: Arc<Signal>, poll: PollSignal) -> impl Future<Output = ()> {
    poll_fn(move |cx| poll(&signal, cx))
}

fn show(poll: PollSignal) {
    let signal = Arc::new(Signal::default());
    let guard = FiresWhenDropped(Arc::clone(&signal));
    let waits = wait(Arc::clone(&signal), poll);
    let a = async move {
        let _guard = guard;
        waits.await;
    };
    let a = Task::new(a, |_| {});
    a.poll();
    // As an executor does that shuts down. Now the waker in the signal is A's last owner.
    drop(a);

    let b = probe::watch("B", wait(Arc::clone(&signal), poll));
    let b = Task::new(b, |_| {});
    while !b.poll() {}
    println!("A is dropped, its guard has fired the signal, and B is done");
}
// ANCHOR_END: tasks
