//! A task polls a receiver 1,000 times, as a `select!` in a loop does. postage 0.5 keeps a waker of each poll until a message comes.

use std::{future::Future, pin::pin, sync::Arc, task::Context, task::Wake, task::Waker};

use postage::{mpsc, stream::Stream};

struct Task;

impl Wake for Task {
    fn wake(self: Arc<Self>) {}
}

fn main() {
    let task = Arc::new(Task);
    let waker = Waker::from(task.clone());
    let (_sender, mut receiver) = mpsc::channel::<u32>(8);
    for _ in 0..1_000 {
        let receives = pin!(receiver.recv());
        let polled = receives.poll(&mut Context::from_waker(&waker));
        assert!(polled.is_pending());
    }
    drop(waker);
    println!("wakers that are kept: {}", Arc::strong_count(&task) - 1);
}
