//! The program with which *Executor-2* (001) opens, and its three questions for each version.

use std::{
    future::{Future, poll_fn},
    mem,
    num::NonZero,
    pin::Pin,
    task::{Poll, Waker},
    thread,
    time::Duration,
};

use futures::{channel::oneshot, executor::block_on};
use step08_join_handle::{JoinError, Polls, Runtime, v1_oneshot, v3_async_task};

type Task = Pin<Box<dyn Future<Output = Waker> + Send>>;

fn main() {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let ex = Runtime::new(workers);
    let task = ex.spawn(async { println!("Hello world") });
    ex.block_on(task).expect("the task ends without a panic");
    let version_1 = v1_oneshot::Runtime::new(workers);
    let version_3 = v3_async_task::Runtime::new(workers);
    three_questions("version 1", |task| version_1.handle().spawn(task));
    three_questions("version 2", |task| ex.spawn(task));
    three_questions("version 3", |task| version_3.handle().spawn(task));
}

fn three_questions<T>(version: &str, spawn: impl FnOnce(Task) -> T)
where
    T: Future<Output = Result<Waker, JoinError>>,
{
    let polls = Polls::default();
    let task = spawn(Box::pin(polls.count(async {
        woken_in_its_poll(1).await;
        woken_in_its_poll(2).await; // twice in a row
        let (sender, mut receiver) = oneshot::channel();
        let mut sender = Some(sender);
        let _ = poll_fn(|cx| {
            let answer = Pin::new(&mut receiver).poll(cx);
            // The thread starts when the receiver has the waker.
            if let Some(sender) = sender.take() {
                thread::spawn(|| {
                    thread::sleep(Duration::from_millis(10));
                    sender.send(()) // only this wake leads to the last poll
                });
            }
            answer
        })
        .await;
        poll_fn(|cx| Poll::Ready(cx.waker().clone())).await
    })));
    let waker = block_on(task).expect("the task ends without a panic");
    waker.wake(); // after it was ready
    println!("{version}: polls: {polls}");
}

async fn woken_in_its_poll(mut times: usize) {
    poll_fn(|cx| match mem::take(&mut times) {
        0 => Poll::Ready(()),
        wakes => {
            (0..wakes).for_each(|_| cx.waker().wake_by_ref());
            Poll::Pending
        }
    })
    .await;
}
