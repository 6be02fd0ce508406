//! A task that never has to wait, on tokio and on our mini-tokio.

use probe::{Counted, Counts};
use step07_mini_tokio::MiniTokio;
use tokio::sync::mpsc;

// ANCHOR: program
/// A task that receives 300 messages, all of which are in the channel already.
fn receives() -> (impl Future<Output = ()> + Send, Counts) {
    let (sender, mut receiver) = mpsc::unbounded_channel();
    (0..300).for_each(|number| sender.send(number).unwrap());
    let task = Counted::new(async move {
        for _ in 0..300 {
            receiver.recv().await.unwrap();
        }
    });
    let counts = task.counts();
    (task, counts)
}

fn program() -> (usize, usize) {
    let (task, on_tokio) = receives();
    let tokio = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    tokio.block_on(async { tokio::spawn(task).await.unwrap() });

    let (task, on_ours) = receives();
    let ours = MiniTokio::new();
    ours.spawn(task);
    ours.run();
    (on_tokio.polls(), on_ours.polls())
}
// ANCHOR_END: program

#[test]
fn tokio_ends_a_poll_after_128_and_ours_does_not() {
    assert_eq!(crate::within(program), (3, 1));
}
