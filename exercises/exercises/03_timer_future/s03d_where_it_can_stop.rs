//! s03d · predict · 10 minutes · chapter 03, "A timer as a future"
//!
//! The compiler makes a state machine of an `async fn`. How often must it be polled until it is ready? Before you run
//! anything, write down how many polls each of these four functions takes. Then compare with what *Inside async* says of a
//! function of three lines (D18).
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

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s03d_where_it_can_stop.rs"]
mod tests;
