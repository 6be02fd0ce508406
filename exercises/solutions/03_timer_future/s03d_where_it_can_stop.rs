//! s03d, solved.

use std::future::{poll_fn, ready};
use std::task::Poll;

/// Polls of `three_lines()`.
// No .await, so it has no suspension point. It runs to its end in the first poll.
const THREE_LINES: Option<usize> = Some(1);
/// Polls of `two_yields()`.
// It is suspended twice. The first poll begins it, and each suspension needs one more.
const TWO_YIELDS: Option<usize> = Some(3);
/// Polls of `two_that_are_ready()`.
// An .await on a future that is ready does not suspend it.
const TWO_THAT_ARE_READY: Option<usize> = Some(1);
/// Polls of `side_by_side()`.
// Each poll of the join polls both children.
const SIDE_BY_SIDE: Option<usize> = Some(2);

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
