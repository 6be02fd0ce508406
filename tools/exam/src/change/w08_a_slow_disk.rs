//! A writer that is faster than its reader, and a channel without a limit.

use std::cell::Cell;

use futures::{StreamExt, channel::mpsc, executor::block_on, join};
use step08_join_handle::{channel::channel, yield_now};

// ANCHOR: program
async fn copy(lines: impl Iterator<Item = String>, mut disk: impl AsyncFnMut(String)) {
    let (sender, mut receiver) = mpsc::unbounded();
    let reads = async move {
        for line in lines {
            sender.unbounded_send(line).expect("the receiver is there");
        }
    };
    let writes = async {
        while let Some(line) = receiver.next().await {
            disk(line).await;
        }
    };
    join!(reads, writes);
}
// ANCHOR_END: program

async fn changed(lines: impl Iterator<Item = String>, mut disk: impl AsyncFnMut(String)) {
    // ANCHOR: change
    let (sender, mut receiver) = channel(8);
    let reads = async move {
        for line in lines {
            sender.send(line).await.expect("the receiver is there");
        }
    };
    let writes = async {
        while let Some(line) = receiver.recv().await {
            disk(line).await;
        }
    };
    // ANCHOR_END: change
    join!(reads, writes);
}

#[test]
fn a_limit_makes_the_writer_wait() {
    let (read, written, most) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let lines = || {
        [&read, &written, &most]
            .into_iter()
            .for_each(|it| it.set(0));
        (0..1_000).map(|_| {
            read.set(read.get() + 1);
            most.set(most.get().max(read.get() - written.get()));
            String::from("howdy!")
        })
    };
    let disk = async |line: String| {
        yield_now().await; // a slow disk
        drop(line);
        written.set(written.get() + 1);
    };
    crate::within(|| block_on(copy(lines(), disk)));
    assert_eq!((written.get(), most.get()), (1_000, 1_000));
    crate::within(|| block_on(changed(lines(), disk)));
    assert_eq!((written.get(), most.get()), (1_000, 10));
}
