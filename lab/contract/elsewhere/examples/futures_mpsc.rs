//! A receiver has left its waker in the channel, and is dropped. The waker stays as long as there is a sender.

use std::{future::Future, pin::pin, sync::Arc, task::Context, task::Wake, task::Waker};

use futures::{StreamExt, channel::mpsc};

struct Task;

impl Wake for Task {
    fn wake(self: Arc<Self>) {}
}

fn main() {
    let task = Arc::new(Task);
    let waker = Waker::from(task.clone());
    let (sender, mut receiver) = mpsc::unbounded::<u32>();
    {
        let next = pin!(receiver.next());
        assert!(next.poll(&mut Context::from_waker(&waker)).is_pending());
    }
    drop((receiver, waker));
    let wakers = || Arc::strong_count(&task) - 1;
    print!("wakers that are left: {}", wakers());
    drop(sender);
    println!(", and without a sender: {}", wakers());
}
