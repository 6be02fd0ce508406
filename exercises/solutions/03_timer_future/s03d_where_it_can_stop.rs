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

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s03d_where_it_can_stop.rs"]
mod tests;
