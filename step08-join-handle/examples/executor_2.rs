//! The program with which *Executor-2* (001) opens, and then its three questions, put to each version.

use std::{
    future::{Future, poll_fn},
    num::NonZero,
    task::{Poll, Waker},
    thread,
};

use futures::executor::block_on;
use step08_join_handle::{JoinError, Runtime, v1_oneshot, v3_async_task};

fn main() {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);

    let ex = Runtime::new(workers);
    let task = ex.spawn(async { println!("Hello world") });
    ex.block_on(task).expect("the task ends without a panic");

    let version_1 = v1_oneshot::Runtime::new(workers);
    three_questions("version 1", version_1.spawn(questions()));
    three_questions("version 2", ex.spawn(questions()));
    let version_3 = v3_async_task::Runtime::new(workers);
    three_questions("version 3", version_3.spawn(questions()));
}

/// Is woken during its first poll, and twice in a row during its second. Returns its polls, and a waker.
fn questions() -> impl Future<Output = (usize, Waker)> {
    let mut polls = 0;
    poll_fn(move |cx| {
        polls += 1;
        assert!(polls <= 3, "polled after it was ready");
        if polls == 3 {
            return Poll::Ready((polls, cx.waker().clone()));
        }
        for _ in 0..polls {
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    })
}

fn three_questions<T>(version: &str, task: T)
where
    T: Future<Output = Result<(usize, Waker), JoinError>>,
{
    let (polls, waker) = block_on(task).expect("the task ends without a panic");
    waker.wake(); // after it was ready
    println!("{version}: polls: {polls}");
}
