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
    // ANCHOR: slip
    let latest = CountingWaker::new();
    // ANCHOR_END: slip
    assert!(poll(&mut bell, &latest).is_pending());
    bell.ring();
    // Nothing is said of the earlier task. A wake too many costs a poll; the contract forbids a wake too few.
    assert!(latest.wakes() > 0, "the latest task was not woken");
    assert!(poll(&mut bell, &latest).is_ready());
}

fn main() {}
