//! s06d · predict · 10 minutes · chapter 06, "One thread for all timers"
//!
//! Here are five runs of the stage's reactor. Read each of them, and write down what you expect: `Some(…)` in place of
//! `None`. Only then run it. You learn from the difference between your number and the run's.
//!
//! Run: `cargo test --bin s06d_threads_and_polls`, or save this file while `rustlings` runs.
//! Red: a test says which prediction is wrong and where to look for the reason. It does not say the number.

use futures::{future::join_all, join};
use std::{
    future::Future,
    pin::pin,
    sync::Arc,
    task::{Context, Waker},
    time::Duration,
};
use step06_reactor::{Reactor, Timer};

// TODO: write `Some(…)` in place of each `None`, before you run it.

/// Run 1: how many threads does `Reactor::with_thread_per_timer` start in all, its own included?
const THREADS_OF_VERSION_1: Option<usize> = None;
/// Run 2: and how many does `Reactor::new`?
const THREADS_OF_VERSION_2: Option<usize> = None;
/// Run 3: how many times is the task polled?
const POLLS_IN_A_ROW: Option<usize> = None;
/// Run 4: how many times is the task polled?
const POLLS_JOINED: Option<usize> = None;
/// Run 5: how many timers are left in the reactor's map?
const WAITING_AFTER_THE_DROP: Option<usize> = None;

/// Runs 1 and 2: a hundred timers of 20 ms in one task, with a thread for each timer (1) and on one thread (2).
async fn a_hundred(reactor: Arc<Reactor>) {
    join_all((0..100).map(|_| Timer::new(&reactor, Duration::from_millis(20)))).await;
}

/// Run 3: 10 ms, and then 60 ms.
async fn in_a_row(reactor: Arc<Reactor>) {
    let _ = Timer::new(&reactor, Duration::from_millis(10)).await;
    let _ = Timer::new(&reactor, Duration::from_millis(60)).await;
}

/// Run 4: 10 ms, and at the same time 60 ms.
async fn joined(reactor: Arc<Reactor>) {
    let short = Timer::new(&reactor, Duration::from_millis(10));
    let long = Timer::new(&reactor, Duration::from_millis(60));
    let _ = join!(short, long);
}

/// Run 5: a timer of an hour is polled once, and dropped.
fn dropped(reactor: &Reactor) {
    let timer = pin!(Timer::new(reactor, Duration::from_secs(3_600)));
    let _ = timer.poll(&mut Context::from_waker(Waker::noop()));
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s06d_threads_and_polls.rs"]
mod tests;
