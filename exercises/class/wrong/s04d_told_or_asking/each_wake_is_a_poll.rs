use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;
use step04_channel_executor::{Polls, TimerFuture, executor, v2_sends_again};

/// `two_naps` on the executor that is told.
// One when it is spawned, one for each timer. The poll that finishes the first nap begins the second.
const TWO_NAPS: Option<usize> = Some(3);
/// `ten_wakes` on the executor that is told.
// Ten wakes, one queue entry: the `Queued` flag.
// ANCHOR: slip
const TEN_WAKES: Option<usize> = Some(11);
// ANCHOR_END: slip
/// `fifth_time` on the executor that sends again.
// It works without a single wake, and so it hides that there is none.
const FIFTH_TIME_SENT_AGAIN: Option<usize> = Some(5);
/// `fifth_time` on the executor that is told. `run` returns.
// Nobody has a waker, so nobody can ever ask for the second poll. The task is dropped, unfinished.
const FIFTH_TIME_TOLD: Option<usize> = Some(1);

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
