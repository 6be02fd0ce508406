//! A task polls a receiver 100 times, as a `select!` in a loop does. async-oneshot 0.5 drops the waker of the last poll alone.

use std::{future::Future, pin::pin, sync::Arc, task::Context, task::Wake, task::Waker};

struct Task;

impl Wake for Task {
    fn wake(self: Arc<Self>) {}
}

fn main() {
    let task = Arc::new(Task);
    let waker = Waker::from(task.clone());
    let (sender, receiver) = async_oneshot::oneshot::<u32>();
    {
        let mut receiver = pin!(receiver);
        for _ in 0..100 {
            let polled = receiver.as_mut().poll(&mut Context::from_waker(&waker));
            assert!(polled.is_pending());
        }
    }
    drop((sender, waker));
    print!("wakers that are left: {}", Arc::strong_count(&task) - 1);
    let message = Arc::new(());
    let (mut sender, receiver) = async_oneshot::oneshot();
    sender.send(message.clone()).unwrap();
    drop((sender, receiver));
    println!(", messages: {}", Arc::strong_count(&message) - 1);
}
