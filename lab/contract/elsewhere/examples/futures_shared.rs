//! A message wakes a task whose executor is gone. The wake drops the task, and with it the shared future that is waking it.

use futures::{FutureExt, channel::oneshot};

fn main() {
    let (sender, receiver) = oneshot::channel();
    let receiver = receiver.shared();
    // There is no queue to put the task into, so it is dropped.
    let (runnable, task) = async_task::spawn(receiver.clone(), drop);
    task.detach();
    runnable.run();
    println!("sending");
    sender.send(7).unwrap();
    println!("sent to {receiver:?}");
}
