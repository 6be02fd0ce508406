//! A loop that receives until all senders are gone, while it owns one of them.

use std::task::{Poll, Waker};

use probe::{CountingWaker, poll};
use step08_join_handle::channel::channel;

type Spawn<'a> = &'a dyn Fn(Box<dyn Future<Output = ()> + Send>);

// ANCHOR: program
/// Has three tasks compute a square each, and returns the sum.
async fn sum(spawn: Spawn<'_>) -> u32 {
    let (sender, mut receiver) = channel(8);
    for number in 1..=3 {
        let sender = sender.clone();
        spawn(Box::new(async move {
            sender.send(number * number).await.unwrap();
        }));
    }
    let mut sum = 0;
    while let Some(square) = receiver.recv().await {
        sum += square;
    }
    sum
}
// ANCHOR_END: program

async fn repaired(spawn: Spawn<'_>) -> u32 {
    let (sender, mut receiver) = channel(8);
    for number in 1..=3 {
        let sender = sender.clone();
        spawn(Box::new(async move {
            sender.send(number * number).await.unwrap();
        }));
    }
    let mut sum = 0;
    // ANCHOR: repair
    drop(sender); // the tasks have the last ones
    while let Some(square) = receiver.recv().await {
        sum += square;
    }
    // ANCHOR_END: repair
    sum
}

#[test]
fn the_channel_is_never_closed() {
    // Polls each task when it is spawned. There is room for its square, so it is ready.
    let spawn: Spawn<'_> = &|task| {
        assert!(poll(&mut Box::into_pin(task), Waker::noop()).is_ready());
    };
    let waker = CountingWaker::new();
    let mut broken = Box::pin(sum(spawn));
    // All three tasks are finished, so nothing is left that could wake it.
    assert!(poll(&mut broken, &waker.waker()).is_pending());
    assert_eq!((waker.wakes(), waker.live()), (0, 1));
    let mut right = Box::pin(repaired(spawn));
    assert_eq!(poll(&mut right, &waker.waker()), Poll::Ready(1 + 4 + 9));
}
