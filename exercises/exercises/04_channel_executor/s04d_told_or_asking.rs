//! s04d · predict · 10 minutes · chapter 04, "An executor on a channel"
//!
//! Stage 04 has an executor that sends every pending task again at once, and one that polls a task only when it was
//! woken. Write down how often each of these four tasks is polled until `run` returns, before you run it.
//!
//! Run: `cargo test --bin s04d_told_or_asking`
//! Red: "Write down your prediction first", and then which number the run does not agree with.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;
use step04_channel_executor::{Polls, TimerFuture, executor, v2_sends_again};

// TODO: write `Some(number)` in place of each `None`.

/// `two_naps` on the executor that is told.
const TWO_NAPS: Option<usize> = None;
/// `ten_wakes` on the executor that is told.
const TEN_WAKES: Option<usize> = None;
/// `fifth_time` on the executor that sends again.
const FIFTH_TIME_SENT_AGAIN: Option<usize> = None;
/// `fifth_time` on the executor that is told. `run` returns.
const FIFTH_TIME_TOLD: Option<usize> = None;

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

/// Ready at the fifth poll. It never wakes anybody, and keeps no waker.
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

fn told(future: impl Future<Output = ()> + Send + 'static) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_run_agrees_with_the_prediction() {
        let written = [TWO_NAPS, TEN_WAKES, FIFTH_TIME_SENT_AGAIN, FIFTH_TIME_TOLD];
        assert!(
            written.iter().all(Option::is_some),
            "Write down your prediction first: one of the four numbers is still None."
        );
        let run = |program: fn() -> usize| probe::within(Duration::from_secs(2), program);
        for (name, written, counted, look_at) in [
            (
                "TWO_NAPS",
                TWO_NAPS,
                run(|| told(two_naps())),
                "which wakes come, and when",
            ),
            (
                "TEN_WAKES",
                TEN_WAKES,
                run(|| told(ten_wakes())),
                "`schedule` in executor/v3_polls_when_woken.rs",
            ),
            (
                "FIFTH_TIME_SENT_AGAIN",
                FIFTH_TIME_SENT_AGAIN,
                run(|| sent_again(fifth_time())),
                "`run` in executor/v2_sends_again.rs",
            ),
            (
                "FIFTH_TIME_TOLD",
                FIFTH_TIME_TOLD,
                run(|| told(fifth_time())),
                "who could bring this task into the queue again",
            ),
        ] {
            assert!(
                written == Some(counted),
                "{name}: you wrote {}, and the run counted another number.\n\
                 To see why, look at {look_at}; or put a println! into the future.",
                written.unwrap_or_default()
            );
        }
    }
}
