//! An `async fn` of three lines, drawn as a machine of three states.
//!
//! The text counts a state for each `println!`. But lines are not states: a function that awaits nothing runs to its
//! end in its first poll, however long it is.

use std::future::Future;

use futures::executor::block_on;
use probe::Counted;

use crate::{Breaks, Exhibit, Fails, props::yields};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "three-states-one-poll",
    title: "an async fn that is drawn with three states and has none of them",
    was_in: "document 002, `my_future` (D18)",
    breaks: Breaks::Rule("an async fn suspends only where it awaits something that is Pending"),
    chapter: 3,
    fails: Fails::Prints("start, middle, end: 1 poll"),
    why: "there is no `.await` in it, so there is no point at which it could suspend. The twin awaits \
          something that is not ready at once, and suspends there.",
    passes: "start, middle, end: 3 polls",
    broken: || show(broken()),
    repaired: || show(repaired()),
};

// ANCHOR: broken
async fn broken() {
    print!("start, ");
    print!("middle, ");
    print!("end: ");
}
// ANCHOR_END: broken

// ANCHOR: repaired
async fn repaired() {
    print!("start, ");
    yields(1).await;
    print!("middle, ");
    yields(1).await;
    print!("end: ");
}
// ANCHOR_END: repaired

fn show(future: impl Future<Output = ()>) {
    let future = Counted::new(future);
    let counts = future.counts();
    block_on(future);
    match counts.polls() {
        1 => println!("1 poll"),
        polls => println!("{polls} polls"),
    }
}
