//! s07c · predict · 12 minutes · chapter 07, "A small tokio"
//!
//! Here are three runs on the stage's `MiniTokio`. Read each of them and write down what you expect, `Some(…)` in place of
//! `None`. For an order, write the words in the order in which they are logged, with a space in between, such as
//! `Some("x y z")`. Then run it and compare.
//!
//! Run: `cargo test --bin s07c_who_goes_first`, or save this file while `rustlings` runs.
//! Red: a test says which prediction is wrong and how you can find out why. It does not give the answer.

use std::{
    future::poll_fn,
    sync::{Arc, Mutex},
    task::Poll,
    time::Duration,
};
use step07_mini_tokio::{MiniTokio, Polls, hand_over, sleep};

// TODO: write `Some(…)` in place of each `None` before you run it.

/// Run 1: in which order are `a1`, `a2`, `b1`, `b2` and `c1` logged?
const ORDER_OF_TASKS: Option<&str> = None;
/// Run 2: what is logged, in which order?
const ORDER_OF_CALLS: Option<&str> = None;
/// Run 3: how often is the first task polled?
const POLLS_OF_THE_FIRST_TASK: Option<usize> = None;
/// Run 3: how often is the second task polled?
const POLLS_OF_THE_SECOND_TASK: Option<usize> = None;

/// The words that were logged, in their order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<&'static str>>>);

impl Log {
    fn add(&self, word: &'static str) {
        self.0.lock().unwrap().push(word);
    }
}

/// Yields: wakes its own task and is pending once.
async fn yield_now() {
    let mut yielded = false;
    poll_fn(|cx| {
        if yielded {
            return Poll::Ready(());
        }
        yielded = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Run 1: two tasks, the first of which spawns a third.
fn tasks(mini_tokio: &MiniTokio, log: &Log) {
    let (handle, a, b) = (mini_tokio.handle(), log.clone(), log.clone());
    mini_tokio.spawn(async move {
        a.add("a1");
        let c = a.clone();
        handle.spawn(async move { c.add("c1") });
        yield_now().await;
        a.add("a2");
    });
    mini_tokio.spawn(async move {
        b.add("b1");
        yield_now().await;
        b.add("b2");
    });
}

/// Run 2: three calls of an `async fn`, some of which are awaited later.
fn calls(mini_tokio: &MiniTokio, log: &Log) {
    async fn say(log: Log, word: &'static str) {
        log.add(word);
    }
    let log = log.clone();
    mini_tokio.spawn(async move {
        let first = say(log.clone(), "one");
        let second = say(log.clone(), "two");
        let _third = say(log.clone(), "three");
        log.add("called");
        second.await;
        first.await;
    });
}

/// Run 3: the first task polls a sleep once and spawns a second task, which awaits the sleep. The polls of both tasks
/// are counted.
fn handed_over(mini_tokio: &MiniTokio, first: &Polls, second: &Polls) {
    let (handle, second) = (mini_tokio.handle(), second.clone());
    mini_tokio.spawn(first.count(async move {
        let sleep = hand_over(Box::pin(sleep(Duration::from_millis(300)))).await;
        handle.spawn(second.count(sleep));
    }));
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s07c_who_goes_first.rs"]
mod tests;
