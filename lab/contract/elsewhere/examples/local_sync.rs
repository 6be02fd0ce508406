//! A task that waits for a permit is dropped after the permit was given to it, as by a timeout. local-sync 0.1.1 panics.

use std::{
    future::Future,
    task::{Context, Waker},
};

use local_sync::semaphore::Semaphore;

fn main() {
    let semaphore = Semaphore::new(0);
    let mut acquires = Box::pin(semaphore.acquire());
    let polled = acquires
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()));
    assert!(polled.is_pending());
    semaphore.add_permits(1);
    println!("dropping");
    drop(acquires);
    println!("permits: {}", semaphore.available_permits());
}
