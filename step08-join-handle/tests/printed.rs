//! What this stage prints goes to a writer that it does not control, which may use the very thing that is printed.

use std::{
    fmt::{Debug, Write},
    time::Duration,
};

use futures::executor::block_on;
use probe::{hostile::elsewhere, within};
use step08_join_handle::{
    Queue, Runtime,
    channel::{SendError, channel},
    semaphore::Semaphore,
    v1_oneshot, v3_async_task,
};

/// Does something of its own each time that it is written to.
struct Acts<F>(F, String);

impl<F: Fn() + Sync> Write for Acts<F> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        elsewhere(&self.0);
        self.1.write_str(text)
    }
}

fn print(thing: &impl Debug, expected: &str, uses: impl Fn() + Sync) {
    let mut out = Acts(uses, String::new());
    write!(out, "{thing:?}").unwrap();
    assert!(out.1.contains(expected), "{}", out.1);
}

#[test]
fn no_lock_is_held_while_a_thing_is_printed() {
    within(Duration::from_secs(20), || {
        let queue = Queue::new();
        print(&queue, "0 in the queue", || queue.push(7));

        let one = v1_oneshot::Runtime::new(1);
        let two = Runtime::new(1);
        let three = v3_async_task::Runtime::new(1);
        let blocks = || block_on(two.handle().spawn_blocking(|| ())).unwrap();
        let unfinished = "0 unfinished tasks";
        print(&one, unfinished, || {
            block_on(one.handle().spawn(async {})).unwrap()
        });
        print(&two, unfinished, || block_on(two.spawn(async {})).unwrap());
        print(&two, "1 threads", blocks);
        print(&three, unfinished, || {
            block_on(three.handle().spawn(async {})).unwrap()
        });

        let semaphore = Semaphore::new(2);
        print(&semaphore, "2 free", || drop(block_on(semaphore.acquire())));
        let (sender, receiver) = channel(100);
        let sends = || block_on(sender.send(7)).unwrap();
        print(&sender, "Sender(..)", sends);
        print(&receiver, "Receiver(..)", sends);

        let refused = SendError(7);
        print(&refused, "SendError(..)", || ());
        assert_eq!(refused.to_string(), "the channel's receiver is gone");
        let panicked: Result<(), _> = block_on(two.spawn(async { panic!("no answer") }));
        print(&panicked, "JoinError(the task panicked: no answer)", || ());
    });
}
