//! A timer that calls the waker while it holds the lock that `poll` takes.
//!
//! Waking means running code of the executor, and a timer cannot know what that code does. This executor polls the task
//! within the wake, on the timer's own thread. It should not, but some have done so: ngx-rust until its #295.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use probe::Mutex;

use crate::{Exhibit, Fails, props::Task};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "wake-under-lock",
    title: "a timer that wakes while it holds its own lock",
    was_in: "\"Future and scheduling\"; async-book, `TimerFuture::new` in examples/02_03_timer; flume 0.12 and \
             event-listener 5.4.2, where the wake may drop the task that waits",
    breaks: "call no waker while you hold a lock, because a waker may run any code",
    chapter: 3,
    fails: Fails::Hangs("waits inside poll for a lock that its own thread already holds"),
    why: "the wake polls the task, the task polls the timer, and the timer waits for a lock that its own thread \
          holds. The fixed version takes the waker out, releases the lock, and wakes after that.",
    passes: "the timer has fired, and its task is done",
    broken: || show(fire_broken),
    repaired: || show(fire_repaired),
};

#[derive(Default)]
struct Shared {
    fired: bool,
    waker: Option<Waker>,
}

struct Timer(Arc<Mutex<Shared>>);

impl Future for Timer {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut shared = self.0.lock().unwrap();
        if shared.fired {
            return Poll::Ready(());
        }
        shared.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

// ANCHOR: broken
fn fire_broken(shared: &Mutex<Shared>) {
    let mut shared = shared.lock().unwrap();
    shared.fired = true;
    if let Some(waker) = shared.waker.take() {
        waker.wake();
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn fire_repaired(shared: &Mutex<Shared>) {
    let mut shared = shared.lock().unwrap();
    shared.fired = true;
    let waker = shared.waker.take();
    drop(shared);
    if let Some(waker) = waker {
        waker.wake();
    }
}
// ANCHOR_END: repaired

fn show(fire: fn(&Mutex<Shared>)) {
    let shared = Arc::default();
    let timer = probe::watch("timer", Timer(Arc::clone(&shared)));
    let polls_within_the_wake = |task: Arc<Task>| assert!(task.poll());
    let task = Task::new(timer, polls_within_the_wake);
    assert!(!task.poll());
    fire(&shared);
    println!("the timer has fired, and its task is done");
}
