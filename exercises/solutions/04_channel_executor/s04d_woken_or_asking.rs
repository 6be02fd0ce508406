//! s04d, solved.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;
use step04_channel_executor::{Polls, TimerFuture, executor, v2_sends_again};

/// `two_naps` on version 3.
// One for being spawned, one for each timer. The poll that finishes the first nap begins the second.
const TWO_NAPS: Option<usize> = Some(3);
/// `ten_wakes` on version 3.
// Ten wakes make one queue entry, because of the `Queued` flag.
const TEN_WAKES: Option<usize> = Some(2);
/// `fifth_time` on version 2.
// It finishes without a single wake, which hides that there is none.
const FIFTH_TIME_SENT_AGAIN: Option<usize> = Some(5);
/// `fifth_time` on version 3. `run` returns.
// There is no waker left after the first poll, so the task can't be woken. It is dropped, unfinished.
const FIFTH_TIME_WHEN_WOKEN: Option<usize> = Some(1);

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
