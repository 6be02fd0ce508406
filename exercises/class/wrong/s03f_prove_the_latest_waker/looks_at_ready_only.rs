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
    // ANCHOR: slip
    assert!(poll(&mut bell, &latest).is_ready());
    // ANCHOR_END: slip
}

fn main() {}
