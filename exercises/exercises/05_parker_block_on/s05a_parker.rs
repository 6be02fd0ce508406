//! s05a · complete · 15 minutes · chapter 05, "Park, unpark and block_on"
//!
//! The chapter's parker remembers *that* it was unparked. This one remembers how often, and its `park` returns the number.
//! As in the chapter, an `unpark` that comes first is not lost. For example, after three calls of `unpark` the next `park`
//! returns 3 at once. It has used up all three, so the `park` after it sleeps until there is a new `unpark`.
//!
//! The count and the condition variable are there. Write the bodies of `park` and `unpark`.
//!
//! Run: `cargo test --bin s05a_parker`, or save this file while `rustlings` runs.
//! Red: an assertion says which `park` returned too early or with a wrong number, or which one was still asleep after a
//! second and a half.

// Those of std, which the tests can also count and interrupt.
use probe::{Condvar, Mutex};

/// Lets one thread sleep, and lets any thread end that sleep.
#[derive(Default)]
struct Parker {
    /// How often `unpark` was called since the last `park` returned. If it is not 0, the next `park` need not sleep.
    unparks: Mutex<usize>,
    changed: Condvar,
}

impl Parker {
    /// Blocks this thread until `unpark` has been called. Returns how many calls of `unpark` it used up.
    fn park(&self) -> usize {
        // TODO: sleep while there was no unpark, then use up all that there are.
        1
    }

    /// Adds to the count, and ends the sleep of the thread in `park`, if there is one.
    fn unpark(&self) {
        // TODO: leave a trace where `park` finds it, and end a sleep.
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s05a_parker.rs"]
mod tests;
