//! A send wakes a task whose executor is gone. The wake drops the task, and with it the receiver that is being woken.

use std::sync::Arc;

fn main() {
    let (sender, receiver) = flume::unbounded();
    let receiver = Arc::new(receiver);
    // There is no queue to put the task into, so it is dropped.
    let (runnable, task) = async_task::spawn(async move { receiver.recv_async().await }, drop);
    task.detach();
    runnable.run();
    println!("sending");
    sender.send(7).unwrap();
    println!("sent");
}
