//! A waiter for three permits leaves the head of a fair queue. futures-intrusive 0.5 doesn't wake the waiter for one behind it.

use std::{
    future::Future,
    task::{Context, Waker},
};

use futures::{FutureExt, executor::LocalPool, task::LocalSpawnExt};
use futures_intrusive::sync::SharedSemaphore;

fn main() {
    let semaphore = SharedSemaphore::new(true, 3);
    let _held = semaphore.try_acquire(1).unwrap();
    let mut wants_three = Box::pin(semaphore.acquire(3));
    let polled = wants_three
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()));
    assert!(polled.is_pending());
    let mut pool = LocalPool::new();
    let wants_one = semaphore.acquire(1);
    let task = async { drop(wants_one.await) };
    let task = pool.spawner().spawn_local_with_handle(task).unwrap();
    pool.run_until_stalled();
    drop(wants_three);
    pool.run_until_stalled();
    print!("permits that are free: {}", semaphore.permits());
    let is_done = task.now_or_never().is_some();
    println!(", the task has had one: {is_done}");
}
