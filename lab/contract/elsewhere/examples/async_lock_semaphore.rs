//! A task acquires a permit and gives it back, while the future that acquired it still exists. async-lock 3.5 keeps that future in
//! the queue, where it takes the wake of the task behind it.

use std::{future::pending, pin::pin, sync::Arc};

use async_lock::Semaphore;
use futures::{FutureExt, executor::LocalPool, task::LocalSpawnExt};

fn main() {
    let semaphore = Arc::new(Semaphore::new(1));
    let permit = semaphore.try_acquire_arc().unwrap();
    let mut pool = LocalPool::new();
    let (first, second) = (semaphore.clone(), semaphore.clone());
    let first_task = async move {
        let mut acquires = pin!(first.acquire_arc());
        drop(acquires.as_mut().await);
        println!("the first task has given its permit back");
        pending::<()>().await;
    };
    let second_task = async move { drop(second.acquire_arc().await) };
    pool.spawner().spawn_local(first_task).unwrap();
    let second_task = pool.spawner().spawn_local_with_handle(second_task).unwrap();
    pool.run_until_stalled();
    drop(permit);
    pool.run_until_stalled();
    print!("permits that are free: {}", semaphore.available_permits());
    let is_done = second_task.now_or_never().is_some();
    println!(", the second task has had one: {is_done}");
}
