//! s04d · predict · 10 minutes · chapter 04, "An executor on a channel"
//!
//! Version 2 of stage 04 sends every pending task again at once, and version 3 polls a task only when it has been woken.
//! Before you run anything, write down how many polls each of these four tasks receives until `run` returns.
//!
//! Run: `cargo test --bin s04d_woken_or_asking`
//! Red: "Write down your prediction first", and then each number that differs from the run.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;
use step04_channel_executor::{Polls, TimerFuture, executor, v2_sends_again};

// TODO: write `Some(number)` in place of each `None`.

/// `two_naps` on version 3.
const TWO_NAPS: Option<usize> = None;
/// `ten_wakes` on version 3.
const TEN_WAKES: Option<usize> = None;
/// `fifth_time` on version 2.
const FIFTH_TIME_SENT_AGAIN: Option<usize> = None;
/// `fifth_time` on version 3. `run` returns.
const FIFTH_TIME_WHEN_WOKEN: Option<usize> = None;

async fn two_naps() {
    TimerFuture::new(Duration::from_millis(10)).await;
    TimerFuture::new(Duration::from_millis(10)).await;
}

/// Wakes itself ten times in its first poll. Ready at the second.
fn ten_wakes() -> impl Future<Output = ()> + Send {
    let mut polled = false;
    poll_fn(move |cx| {
        if polled {
            return Poll::Ready(());
        }
        polled = true;
        for _ in 0..10 {
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    })
}

/// Ready at the fifth poll. It calls no waker, and keeps none.
fn fifth_time() -> impl Future<Output = ()> + Send {
    let mut polls = 0;
    poll_fn(move |_| {
        polls += 1;
        if polls == 5 {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
}

fn when_woken(future: impl Future<Output = ()> + Send + 'static) -> usize {
    let polls = Polls::default();
    let (executor, spawner) = executor();
    spawner.spawn(polls.count(future));
    drop(spawner);
    executor.run();
    polls.get()
}

fn sent_again(future: impl Future<Output = ()> + Send + 'static) -> usize {
    let polls = Polls::default();
    let (executor, spawner) = v2_sends_again::executor();
    spawner.spawn(polls.count(future));
    drop(spawner);
    executor.run();
    polls.get()
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s04d_woken_or_asking.rs"]
mod tests;
