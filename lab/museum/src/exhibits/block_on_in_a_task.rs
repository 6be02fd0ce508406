//! A task that waits for its sibling by `block_on`.
//!
//! `block_on` returns when the sibling has sent. But the thread that sleeps in `block_on` is the thread that would poll
//! the sibling. The `block_on` is pollster 0.4.0, which keeps each wake in a flag of its own, so no wake is lost here.

use std::future::Future;

use futures::{channel::oneshot, join};
use pollster04::block_on;

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "block-on-in-a-task",
    title: "block_on inside a task that waits for its sibling",
    was_in: "programs of users: async-rs/async-std#644, tokio-rs/tokio#2376",
    breaks: "a poll does not wait for anything that its own thread has to poll",
    chapter: 5,
    fails: Fails::Hangs("is inside poll"),
    why: "A sleeps in its own poll until B sends. B would send at its first poll, but the thread that would poll B \
          is the thread that sleeps. In the fixed version, A awaits: its poll returns Pending, and then the thread \
          polls B.",
    passes: "A has received 42",
    broken: || run_broken(),
    repaired: || run_repaired(),
};

// ANCHOR: broken
fn run_broken() {
    let (sender, receiver) = oneshot::channel();
    let a = async { block_on(receiver).unwrap() };
    let b = async { sender.send(42).unwrap() };
    show(a, b);
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn run_repaired() {
    let (sender, receiver) = oneshot::channel();
    let a = async { receiver.await.unwrap() };
    let b = async { sender.send(42).unwrap() };
    show(a, b);
}
// ANCHOR_END: repaired

fn show(a: impl Future<Output = u32>, b: impl Future<Output = ()>) {
    let a = probe::watch("A", a);
    let (received, ()) = block_on(async { join!(a, b) });
    println!("A has received {received}");
}
