//! s08b · complete · 10 minutes · chapter 08, "Join handles and worker threads"
//!
//! A join handle waits for a task that another thread polls, and which may finish at any moment.
//!
//! Write `poll`. It is ready with the task's result as soon as there is one. If there is none yet, it is pending, and the
//! latest waker must be called when the task finishes. The other side, `finish`, is right, and so is the place for the
//! waker, in `given/s08b_finished_meanwhile.rs`.
//!
//! A test that only starts two threads hardly ever meets the moment that matters: when we ran one 100,000 times, the
//! starter below lost 5 wakes. So the tests here choose the moment at which the other thread finishes the task.
//!
//! Run: `cargo test --bin s08b_finished_meanwhile`, or save this file while `rustlings` runs.
//! Red: a test says at which moment the task finished, and what the handle did then.

#[path = "../../given/s08b_finished_meanwhile.rs"]
mod given;

use given::Slot;
use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll},
};

/// What the task and its handle share.
struct Shared<T> {
    finished: AtomicBool,
    /// Is there when `finished` is set, until the handle takes it.
    result: Mutex<Option<T>>,
    waiting: Slot,
}

impl<T> Shared<T> {
    /// Called by the worker when the task has finished.
    fn finish(&self, result: T) {
        *self.result.lock().unwrap() = Some(result);
        self.finished.store(true, SeqCst);
        if let Some(waker) = self.waiting.take() {
            waker.wake();
        }
    }
}

struct JoinHandle<T>(Arc<Shared<T>>);

impl<T> Future for JoinHandle<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let shared = &self.0;
        if shared.finished.load(SeqCst) {
            let result = shared.result.lock().unwrap().take();
            return Poll::Ready(result.expect("the result is given out once"));
        }
        // TODO: what is missing here?
        shared.waiting.store(cx.waker().clone());
        Poll::Pending
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s08b_finished_meanwhile.rs"]
mod tests;
