//! s08d · predict · 12 minutes · chapter 08, "Join handles and worker threads"
//!
//! Here are five runs of the stage's own tasks on one worker. The function `work`, in
//! `given/s08d_how_often_is_it_polled.rs`, is that worker: it takes tasks from the queue and runs them until the queue is
//! empty, and counts how many it took. Read each run and write down what you expect, `Some(…)` in place of `None`. Then run
//! it and compare.
//!
//! Run: `cargo test --bin s08d_how_often_is_it_polled`, or save this file while `rustlings` runs.
//! Red: a test says which prediction is wrong and how you can find out why. It does not give the answer.

#[path = "../../given/s08d_how_often_is_it_polled.rs"]
mod given;

use futures::channel::oneshot;
use given::*;
use std::{
    future::{Future, pending, poll_fn},
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};
use step08_join_handle::{JoinHandle, Polls, yield_now};

// TODO: write `Some(…)` in place of each `None` before you run it.

/// Run 1: how often is the task polled?
const POLLS_WHEN_WOKEN: Option<usize> = None;
/// Run 1: how often is it taken from the queue?
const ENTRIES_WHEN_WOKEN: Option<usize> = None;
/// Run 2: how often is the task that waits for the other one polled?
const POLLS_OF_THE_WAITING_TASK: Option<usize> = None;
/// Run 3: how often are the two aborted tasks taken from the queue, both together, from their spawn to their end?
const ENTRIES_OF_THE_ABORTED: Option<usize> = None;
/// Run 3: how often are they polled, both together, before and after they are aborted?
const POLLS_OF_THE_ABORTED: Option<usize> = None;
/// Run 4: does the handle get the task's output (`true`), or is the task cancelled (`false`)?
const OUTPUT_OF_THE_LAST_POLL: Option<bool> = None;
/// Run 5: how often is the task without a handle polled?
const POLLS_WITHOUT_A_HANDLE: Option<usize> = None;

/// Run 1: a task that is woken three times in its first poll, twice while it is idle, and once when it has finished.
/// Returns how often it is polled and taken from the queue.
fn woken() -> (usize, usize) {
    let (worker, polls) = (Worker::default(), Polls::default());
    let kept: Arc<Mutex<Option<Waker>>> = Arc::default();
    let (counted, keep) = (polls.clone(), Arc::clone(&kept));
    let _handle = worker.spawn(polls.count(poll_fn(move |cx| {
        *keep.lock().unwrap() = Some(cx.waker().clone());
        match counted.get() {
            1 => (0..3).for_each(|_| cx.waker().wake_by_ref()),
            2 => {}
            _ => return Poll::Ready(()),
        }
        Poll::Pending
    })));
    let waker = || kept.lock().unwrap().clone().unwrap();
    let mut entries = worker.work();
    waker().wake();
    waker().wake();
    entries += worker.work();
    waker().wake();
    entries += worker.work();
    (polls.get(), entries)
}

/// Run 2: the first task awaits the handle of the second, which is ready at its second poll. Returns how often the first is
/// polled.
fn waits() -> usize {
    let (worker, polls) = (Worker::default(), Polls::default());
    let (sender, receiver) = oneshot::channel::<JoinHandle<u32>>();
    let _first = worker.spawn(polls.count(async {
        let second = receiver.await.unwrap();
        second.await.unwrap()
    }));
    let second = worker.spawn(async {
        yield_now().await;
        7
    });
    // The first task has its handle before any task runs.
    let _ = sender.send(second);
    worker.work();
    polls.get()
}

/// Run 3: two tasks that never finish by themselves. One is aborted before it runs, and the other, twice, when it is
/// idle. Returns how often they are taken from the queue and polled, from their spawn to their end.
fn aborted() -> (usize, usize) {
    let (worker, polls) = (Worker::default(), Polls::default());
    let idle = worker.spawn(polls.count(pending::<()>()));
    let mut entries = worker.work();
    let new = worker.spawn(polls.count(pending::<()>()));
    new.abort();
    idle.abort();
    idle.abort();
    entries += worker.work();
    assert!(idle.is_finished() && new.is_finished());
    (entries, polls.get())
}

/// Run 4: a task that aborts itself in its only poll, and is ready. Returns whether the handle gets the output.
fn aborts_itself() -> bool {
    let worker = Worker::default();
    let shared: Arc<Mutex<Option<JoinHandle<u32>>>> = Arc::default();
    let of_the_task = Arc::clone(&shared);
    let handle = worker.spawn(async move {
        of_the_task.lock().unwrap().as_ref().unwrap().abort();
        7
    });
    *shared.lock().unwrap() = Some(handle);
    worker.work();
    let mut handle = shared.lock().unwrap().take().unwrap();
    match Pin::new(&mut handle).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result.is_ok(),
        Poll::Pending => panic!("the task has finished"),
    }
}

/// Run 5: a task that yields twice. Its handle is dropped after the first poll. Returns how often it is polled.
fn detached() -> usize {
    let (worker, polls) = (Worker::default(), Polls::default());
    let handle = worker.spawn(polls.count(async {
        yield_now().await;
        yield_now().await;
    }));
    worker.queue.try_pop().unwrap().run();
    drop(handle);
    worker.work();
    polls.get()
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s08d_how_often_is_it_polled.rs"]
mod tests;
