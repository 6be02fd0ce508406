//! The order of events of the exercise on paper in chapter 08. Each step of a worker is made by hand, on one thread.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
    time::Duration,
};

use probe::{CountingWaker, within};
use step08_join_handle::{JoinHandle, Queue, Runnable, spawn_on};

const LIMIT: Duration = Duration::from_secs(10);

/// What the timer and the test know of the task.
#[derive(Clone, Default)]
struct Known {
    waker: Arc<Mutex<Option<Waker>>>,
    handle: Arc<Mutex<Option<JoinHandle<()>>>>,
    polls: Arc<Mutex<usize>>,
    /// The bits that were set during the poll, and while the future was dropped.
    bits_seen: Arc<Mutex<Vec<String>>>,
}

impl Known {
    /// The bits that are set.
    fn bits(&self) -> String {
        let handle = self.handle.lock().unwrap();
        handle.as_ref().unwrap().bits().join(" | ")
    }

    fn note_bits(&self) {
        let bits = self.bits();
        self.bits_seen.lock().unwrap().push(bits);
    }

    fn wake(&self) {
        let waker = self.waker.lock().unwrap().clone();
        waker.unwrap().wake();
    }

    fn poll_handle(&self, waker: &Waker) -> Poll<bool> {
        let mut handle = self.handle.lock().unwrap();
        let handle = Pin::new(handle.as_mut().unwrap());
        let answer = handle.poll(&mut Context::from_waker(waker));
        answer.map(|result| result.unwrap_err().is_cancelled())
    }
}

/// The task T: it is woken during its first poll, is always pending, and wakes itself when it is dropped.
struct T {
    known: Known,
    waits: Waker,
}

impl Future for T {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let known = &self.known;
        *known.waker.lock().unwrap() = Some(cx.waker().clone());
        *known.polls.lock().unwrap() += 1;
        known.note_bits(); // after event 1
        known.wake();
        known.note_bits(); // after event 2
        assert!(known.poll_handle(&self.waits).is_pending());
        known.note_bits(); // after event 3
        Poll::Pending
    }
}

impl Drop for T {
    fn drop(&mut self) {
        self.known.wake();
        self.known.note_bits();
    }
}

#[test]
fn the_bits_after_each_event() {
    within(LIMIT, || {
        let queue: Arc<Queue<Runnable>> = Arc::default();
        let (known, main) = (Known::default(), CountingWaker::new());
        let future = T {
            known: known.clone(),
            waits: main.waker(),
        };
        let (task, handle) = spawn_on(&queue, future);
        *known.handle.lock().unwrap() = Some(handle);
        assert_eq!(known.bits(), "SCHEDULED | HANDLE");

        task.run(); // 1 to 4, by W1
        let in_the_poll = [
            "RUNNING | HANDLE",
            "SCHEDULED | RUNNING | HANDLE",
            "SCHEDULED | RUNNING | HANDLE | WAITING",
        ];
        assert_eq!(*known.bits_seen.lock().unwrap(), in_the_poll);
        assert_eq!(known.bits(), "SCHEDULED | HANDLE | WAITING");
        let entry = queue.try_pop().expect("W1 has put it there");

        known.handle.lock().unwrap().as_ref().unwrap().abort(); // 5
        assert_eq!(known.bits(), "SCHEDULED | CANCELLED | HANDLE | WAITING");
        known.wake(); // 6
        assert_eq!(known.bits(), "SCHEDULED | CANCELLED | HANDLE | WAITING");
        assert!(queue.try_pop().is_none(), "it is in the queue once");

        assert_eq!(main.wakes(), 0);
        entry.run(); // 7 and 8, by W2
        assert_eq!(
            *known.bits_seen.lock().unwrap().last().unwrap(),
            "SCHEDULED | RUNNING | CANCELLED | HANDLE | WAITING"
        );
        let finished = "SCHEDULED | CANCELLED | FINISHED | HANDLE | WAITING";
        assert_eq!(known.bits(), finished);
        assert_eq!(main.wakes(), 1);

        assert_eq!(known.poll_handle(Waker::noop()), Poll::Ready(true)); // 9
        drop(known.handle.lock().unwrap().take());
        assert!(queue.try_pop().is_none(), "it has been there twice");
        assert_eq!(*known.polls.lock().unwrap(), 1);
    });
}
