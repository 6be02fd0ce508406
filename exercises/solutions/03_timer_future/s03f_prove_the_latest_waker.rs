//! s03f, solved: two tasks, one after the other.

use probe::CountingWaker;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A future that is ready once it has been rung.
trait Bell: Future<Output = ()> + Unpin {
    fn ring(&self);
}

/// Polls the bell with a waker that counts for `task`.
fn poll(bell: &mut impl Bell, task: &CountingWaker) -> Poll<()> {
    Pin::new(bell).poll(&mut Context::from_waker(&task.waker()))
}

fn test_bell(mut bell: impl Bell) {
    let (earlier, latest) = (CountingWaker::new(), CountingWaker::new());
    assert!(poll(&mut bell, &earlier).is_pending());
    assert!(poll(&mut bell, &latest).is_pending());
    bell.ring();
    // Nothing is asserted about the earlier task. An extra wake costs a poll at most; a missing wake is a hang.
    assert!(latest.wakes() > 0, "the latest task was not woken");
    assert!(poll(&mut bell, &latest).is_ready());
}

fn main() {}

// The tests that this file must pass. Read them, but do not change them.
#[cfg(test)]
#[path = "../../checks/s03f_prove_the_latest_waker.rs"]
mod tests;
