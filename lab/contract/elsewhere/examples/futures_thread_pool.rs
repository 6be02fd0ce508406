//! The handle of a task is ready while the task's future still exists. The future's destructor waits until that was seen, or a second.

use std::{
    future::Future,
    pin::Pin,
    sync::mpsc::{self, Receiver},
    task::{Context, Poll},
    time::Duration,
};

use futures::{
    executor::{ThreadPool, block_on},
    task::SpawnExt,
};

struct Task {
    seen: Receiver<()>,
}

impl Future for Task {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Ready(())
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        let _ = self.seen.recv_timeout(Duration::from_secs(1));
    }
}

fn main() {
    let pool = ThreadPool::builder().pool_size(1).create().unwrap();
    let (see, seen) = mpsc::channel();
    block_on(pool.spawn_with_handle(Task { seen }).unwrap());
    println!("the future still exists: {}", see.send(()).is_ok());
}
