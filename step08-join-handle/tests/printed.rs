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
struct Acts<F>(F);

impl<F: Fn() + Sync> Write for Acts<F> {
    fn write_str(&mut self, _: &str) -> std::fmt::Result {
        elsewhere(&self.0);
        Ok(())
    }
}

fn print(thing: &impl Debug, uses: impl Fn() + Sync) {
    write!(Acts(uses), "{thing:?}").unwrap();
}

#[test]
fn no_lock_is_held_while_a_thing_is_printed() {
    within(Duration::from_secs(20), || {
        let queue = Queue::new();
        print(&queue, || queue.push(7));

        let one = v1_oneshot::Runtime::new(1);
        let two = Runtime::new(1);
        let three = v3_async_task::Runtime::new(1);
        print(&one, || block_on(one.handle().spawn(async {})).unwrap());
        print(&two, || block_on(two.spawn(async {})).unwrap());
        let blocks = || block_on(two.handle().spawn_blocking(|| ())).unwrap();
        print(&two, blocks);
        print(&three, || block_on(three.handle().spawn(async {})).unwrap());

        let semaphore = Semaphore::new(2);
        print(&semaphore, || drop(block_on(semaphore.acquire())));
        let (sender, receiver) = channel(100);
        let sends = || block_on(sender.send(7)).unwrap();
        print(&sender, sends);
        print(&receiver, sends);

        assert_eq!(SendError(7).to_string(), "the channel's receiver is gone");
        let panicked: Result<(), _> = block_on(two.spawn(async { panic!("no answer") }));
        let said = panicked.unwrap_err().to_string();
        assert_eq!(said, "the task panicked: no answer");
    });
}
