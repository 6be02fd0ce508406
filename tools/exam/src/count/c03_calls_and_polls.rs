//! An `async fn` that calls another one three times and awaits two of the calls.

use std::{cell::Cell, future::ready};

use futures::executor::block_on;
use probe::Counted;
use step08_join_handle::yield_now;

// ANCHOR: program
async fn step(begun: &Cell<usize>) {
    begun.set(begun.get() + 1);
    ready(()).await;
    yield_now().await; // pending once, after it has woken its own task
    ready(()).await;
}

async fn walk(begun: &Cell<usize>) {
    let first = step(begun);
    let second = step(begun);
    let _third = step(begun);
    second.await;
    first.await;
}

fn program() -> (usize, usize) {
    let begun = Cell::new(0);
    let walk = Counted::new(walk(&begun));
    let counts = walk.counts();
    block_on(walk);
    (counts.polls(), begun.get())
}
// ANCHOR_END: program

#[test]
fn only_a_pending_await_takes_a_poll_and_a_call_begins_nothing() {
    assert_eq!(crate::within(program), (3, 2));
}
