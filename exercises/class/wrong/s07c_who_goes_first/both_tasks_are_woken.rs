//! s07c · predict · 12 minutes · chapter 07, "A small tokio"
//!
//! Three runs on the stage's `MiniTokio`. Read each, and write down what you expect: `Some(…)` in place of `None`. An
//! order is written as the words that are logged, with a space in between: `Some("x y z")`. Then run it; the run
//! decides.
//!
//! Run: `cargo test --bin s07c_who_goes_first`, or save this file while `rustlings` runs.
//! Red: a test says which prediction is wrong and how to find out why. It does not say the answer.

use std::{
    future::poll_fn,
    sync::{Arc, Mutex},
    task::Poll,
    time::{Duration, Instant},
};
use step07_mini_tokio::{Delay, MiniTokio, Polls, hand_over};

const ORDER_OF_TASKS: Option<&str> = Some("a1 b1 c1 a2 b2");
const ORDER_OF_CALLS: Option<&str> = Some("called two one");
// ANCHOR: slip
const POLLS_OF_THE_FIRST_TASK: Option<usize> = Some(2);
// ANCHOR_END: slip
const POLLS_OF_THE_SECOND_TASK: Option<usize> = Some(2);

/// The words that were logged, in their order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<&'static str>>>);

impl Log {
    fn add(&self, word: &'static str) {
        self.0.lock().unwrap().push(word);
    }
}

/// Wakes its own task, and is pending once.
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

/// Run 2: functions that are called here and awaited there.
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

/// Run 3: the first task polls a delay once and spawns a second task, which awaits it. The polls of both are counted.
fn handed_over(mini_tokio: &MiniTokio, first: &Polls, second: &Polls) {
    let (handle, second) = (mini_tokio.handle(), second.clone());
    mini_tokio.spawn(first.count(async move {
        let when = Instant::now() + Duration::from_millis(50);
        let delay = hand_over(Delay::until(when)).await;
        handle.spawn(second.count(async {
            delay.await;
        }));
    }));
}

fn main() {}
