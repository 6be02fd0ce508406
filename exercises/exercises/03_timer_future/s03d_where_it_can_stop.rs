//! s03d · predict · 10 minutes · chapter 03, "A timer as a future"
//!
//! *Inside async* says that an `async fn` of three lines is a state machine with three states that takes three polls
//! (D18). Is that so? Before you run anything, write down how many polls each of these four functions takes.
//!
//! Run: `cargo test --bin s03d_where_it_can_stop`
//! Red: "Write down your prediction first", and then each number that differs from the run.

use std::future::{poll_fn, ready};
use std::task::Poll;

// TODO: write `Some(number)` in place of each `None`.

/// Polls of `three_lines()`.
const THREE_LINES: Option<usize> = None;
/// Polls of `two_yields()`.
const TWO_YIELDS: Option<usize> = None;
/// Polls of `two_that_are_ready()`.
const TWO_THAT_ARE_READY: Option<usize> = None;
/// Polls of `side_by_side()`.
const SIDE_BY_SIDE: Option<usize> = None;

async fn three_lines() {
    println!("Start");
    println!("Middle");
    println!("End");
}

async fn two_yields() {
    println!("Start");
    yield_once().await;
    println!("Middle");
    yield_once().await;
    println!("End");
}

async fn two_that_are_ready() -> u32 {
    let a = ready(3).await;
    let b = ready(4).await;
    a + b
}

async fn side_by_side() {
    futures::join!(yield_once(), yield_once());
}

/// Pending once. It wakes its own task.
async fn yield_once() {
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

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::executor::block_on;
    use std::time::Duration;
    use step03_timer_future::Polls;

    fn polls<T>(future: impl Future<Output = T>) -> usize {
        let polls = Polls::default();
        probe::within(Duration::from_secs(2), || block_on(polls.count(future)));
        polls.get()
    }

    #[test]
    fn the_run_agrees_with_the_prediction() {
        let written = [THREE_LINES, TWO_YIELDS, TWO_THAT_ARE_READY, SIDE_BY_SIDE];
        assert!(
            written.iter().all(Option::is_some),
            "Write down your prediction first: one of the four numbers is still None."
        );
        let wrong: String = [
            ("THREE_LINES", THREE_LINES, polls(three_lines())),
            ("TWO_YIELDS", TWO_YIELDS, polls(two_yields())),
            (
                "TWO_THAT_ARE_READY",
                TWO_THAT_ARE_READY,
                polls(two_that_are_ready()),
            ),
            ("SIDE_BY_SIDE", SIDE_BY_SIDE, polls(side_by_side())),
        ]
        .into_iter()
        .filter(|(_, written, counted)| *written != Some(*counted))
        .map(|(name, written, _)| {
            let written = written.unwrap_or_default();
            format!("{name}: you wrote {written}, and the run counted a different number.\n")
        })
        .collect();
        assert!(
            wrong.is_empty(),
            "{wrong}To see why: at which places can the function return Pending to the executor? The first poll begins \
             it, and each Pending costs one more poll."
        );
    }
}
