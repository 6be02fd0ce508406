//! s09b · complete · 12 minutes · chapter 09, "Epoll and the reactor"
//!
//! An executor with timers and sockets needs no thread for the timers, because its own sleep in the kernel has a time
//! limit. `park` is that sleep. It may last as long as the executor allows. It ends at the next deadline at the latest,
//! rounded up to what the kernel can count, and a socket may end it earlier. Then `park` adds the wakers of all timers that
//! are due, the earliest first, to `due`. It doesn't wake them itself, because a waker is code that it doesn't control. The
//! executor does that.
//!
//! Write `park`. It calls `wait` once. This kernel counts in whole milliseconds, as `epoll_wait` does, and an executor that
//! wakes up before the deadline has nothing to do but to sleep again.
//!
//! Run: `cargo test --bin s09b_until_the_next_deadline`, or save this file while `rustlings` runs.
//! Red: a test says which deadlines there were, and how long the kernel was asked to wait. No time passes in the tests.

use std::{collections::BTreeMap, task::Waker, time::Duration};

/// What the executor asks of the kernel.
trait Kernel {
    /// The time since the start.
    fn now(&self) -> Duration;

    /// Sleeps for so many milliseconds, or until a socket is ready. `None` is no limit, and 0 is only a look at the sockets.
    fn wait(&self, ms: Option<u128>);
}

struct Driver<K> {
    kernel: K,
    /// The waker of each timer, by its deadline and its number.
    timers: BTreeMap<(Duration, u64), Waker>,
}

impl<K: Kernel> Driver<K> {
    /// Sleeps, `limit` at most (rounded up too), and `None` is no limit. Adds the wakers that are due to `due`.
    fn park(&mut self, limit: Option<Duration>, due: &mut Vec<Waker>) {
        // TODO: how long may it sleep, and what is due after the sleep?
        self.kernel.wait(None);
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s09b_until_the_next_deadline.rs"]
mod tests;
