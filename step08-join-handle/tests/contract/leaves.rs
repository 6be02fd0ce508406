//! Puts what a task can wait for under the contract: a handle, a permit and a value.

use std::sync::Arc;

use contract::{Answer, BoxFuture, Leaf, Trigger, leaf};
use step08_join_handle::{Queue, channel::channel, semaphore::Semaphore, spawn_on};

/// The handle of a task, which the trigger polls.
pub struct Handle;

impl Leaf for Handle {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let (task, handle) = spawn_on(&Arc::new(Queue::new()), async {});
        Ok((leaf(handle), Box::new(|| task.run())))
    }
}

pub struct Permit;

impl Leaf for Permit {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let semaphore = Semaphore::new(0);
        let trigger = semaphore.clone();
        Ok((
            leaf(async move { semaphore.acquire().await.forget() }),
            Box::new(move || trigger.add_permits(1)),
        ))
    }
}

pub struct Value;

impl Leaf for Value {
    fn pending(&self) -> Answer<(BoxFuture, Trigger)> {
        let (sender, mut receiver) = channel(1);
        Ok((
            leaf(async move { receiver.recv().await }),
            Box::new(move || {
                futures::executor::block_on(sender.send(7)).expect("there is a receiver");
            }),
        ))
    }
}
