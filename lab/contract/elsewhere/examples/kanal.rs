//! A task polls a send once and hands it to another task. kanal 0.1.1 wakes the first task, and the other one waits forever.

use std::task::{Context, Waker};

use futures::{executor::LocalPool, task::LocalSpawnExt};

fn main() {
    let (sender, receiver) = kanal::bounded_async(0);
    let mut send = Box::pin(async move { sender.send(7).await });
    let first_task = Waker::noop();
    assert!(
        send.as_mut()
            .poll(&mut Context::from_waker(first_task))
            .is_pending()
    );
    let mut pool = LocalPool::new();
    let second_task = async { println!("sent: {:?}", send.await) };
    pool.spawner().spawn_local(second_task).unwrap();
    pool.run_until_stalled();
    println!("received: {:?}", receiver.try_recv());
    pool.run();
}
