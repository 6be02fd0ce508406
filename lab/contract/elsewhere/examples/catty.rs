//! A send wakes a task whose executor is gone. The wake drops the task, and with it the receiver that is being woken.

fn main() {
    let (sender, receiver) = catty::oneshot();
    // There is no queue to put the task into, so it is dropped.
    let (runnable, task) = async_task::spawn(receiver, drop);
    task.detach();
    runnable.run();
    println!("sending");
    sender.send(7).unwrap();
    println!("sent");
}
