//! A task that is woken, and then aborted while it is in the queue.

use std::{future::poll_fn, sync::Arc, sync::mpsc, task::Poll};

use probe::Counted;
use step08_join_handle::{Queue, spawn_on};

// ANCHOR: program
fn program() -> ([usize; 5], [usize; 2]) {
    let queue = Arc::new(Queue::new());
    let (send, wakers) = mpsc::channel();
    let future = Counted::new(poll_fn(move |cx| {
        cx.waker().wake_by_ref();
        cx.waker().wake_by_ref();
        send.send(cx.waker().clone()).unwrap();
        Poll::<()>::Pending
    }));
    let counts = future.counts();
    let (task, handle) = spawn_on(&queue, future);

    queue.push(task);
    let spawned = queue.len();
    queue.pop().unwrap().run();
    let polled = queue.len();
    let waker = wakers.recv().unwrap();
    waker.wake_by_ref();
    let woken = queue.len();
    handle.abort();
    let aborted = queue.len();
    queue.pop().unwrap().run();
    waker.wake_by_ref();
    let run_again = queue.len();
    (
        [spawned, polled, woken, aborted, run_again],
        [counts.polls(), counts.drops()],
    )
}
// ANCHOR_END: program

#[test]
fn it_is_in_the_queue_once_and_its_last_turn_is_its_drop() {
    assert_eq!(program(), ([1, 1, 1, 1, 0], [1, 1]));
}
