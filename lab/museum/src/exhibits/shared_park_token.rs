//! A `block_on` that sleeps by `thread::park`, and a second `block_on` inside it.
//!
//! A thread has one token, and each `park` takes it, whatever it was meant for. Calling `unpark` twice still leaves one
//! token. The broken program is the released crate itself, pollster 1.0.1. Its release 0.4.0, which has a flag for each
//! `block_on`, is the fixed version.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    task::Poll,
};

use crate::{Exhibit, Fails, props::yields};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "shared-park-token",
    title: "two block_on share the one token of their thread",
    was_in: "pollster 1.0.1, `block_on` in src/lib.rs",
    breaks: "Run inside one of its own polls, the executor works or panics with a message. The inner run takes no wake away from the outer task.",
    chapter: 5,
    fails: Fails::Hangs("was woken, and not polled since"),
    why: "the outer future had been woken, so the token was there. The inner `block_on` was woken too, parked, and \
          took the token, which was one for two wakes. Then the outer one parks forever. The fixed version is \
          pollster 0.4.0.",
    passes: "both are done",
    broken: || run_broken(),
    repaired: || run_repaired(),
};

type Inner = Pin<Box<dyn Future<Output = ()> + Send>>;

// ANCHOR: broken
fn run_broken() {
    // pollster 1.0.1
    pollster::block_on(outer(pollster::block_on));
    println!("both are done");
}

/// Is woken, and then waits for something else in the same poll, as a library might.
fn outer(block_on: fn(Inner)) -> impl Future<Output = ()> {
    let mut polled = false;
    let future = poll_fn(move |cx| {
        if polled {
            return Poll::Ready(());
        }
        polled = true;
        cx.waker().wake_by_ref();
        block_on(Box::pin(probe::watch("inner", yields(1))));
        Poll::Pending
    });
    probe::watch("outer", future)
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn run_repaired() {
    // pollster 0.4.0
    pollster04::block_on(outer(pollster04::block_on));
    println!("both are done");
}
// ANCHOR_END: repaired
