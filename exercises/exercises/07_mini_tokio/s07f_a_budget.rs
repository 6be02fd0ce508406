//! s07f · complete · 15 minutes · chapter 07, "A small tokio"
//!
//! On tokio's runtime with one thread, a task that never has to wait gets 128 awaits of most of tokio's futures in one
//! poll, and then the other tasks get their turn. `MiniTokio` has no such budget, so here you give it one.
//!
//! `Budgeted` is a future around the future of a task. `receive` is a leaf future for messages that are all there already,
//! so it is pending only if `take_one` is. Write both functions that are marked:
//!
//! - `Budgeted::poll` gives the task a full budget for each of its polls.
//! - `take_one` takes one from the budget. If nothing is left, it makes the task go on later, after the tasks that are in the
//!   queue already.
//!
//! Run: `cargo test --bin s07f_a_budget`, or save this file while `rustlings` runs.
//! Red: a test says how many messages a neighbour had to wait for, or the watchdog says that no clone of a waker was kept.
//! A poll that is pending leaves a clone with the code that wakes the task later, or it wakes the task itself.

use std::{
    cell::Cell,
    future::{Future, poll_fn},
    pin::Pin,
    task::{Context, Poll},
};

/// The number of times that leaf futures may be ready in one poll of a task.
const FULL: u32 = 128;

thread_local! {
    /// What is left for the task that this thread is polling.
    static BUDGET: Cell<u32> = const { Cell::new(FULL) };
}

/// Takes one from the budget. Pending if nothing is left.
fn take_one(cx: &mut Context<'_>) -> Poll<()> {
    // TODO: what if nothing is left?
    let _ = cx;
    Poll::Ready(())
}

/// Receives a message. The messages are all there already.
async fn receive() {
    poll_fn(take_one).await;
}

/// The future of a task, which gets a full budget for each poll.
struct Budgeted(Pin<Box<dyn Future<Output = ()> + Send>>);

impl Future for Budgeted {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // TODO: nothing fills the budget yet.
        self.0.as_mut().poll(cx)
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s07f_a_budget.rs"]
mod tests;
