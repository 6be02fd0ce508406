//! s08b · complete · 10 minutes · chapter 08, "Join handles and worker threads"
//!
//! A join handle waits for a task that another thread polls. So the task may finish at any moment, also between two lines
//! of the handle's `poll`.
//!
//! Write `poll`. It is ready with the task's result as soon as there is one. If there is none yet, it is pending, and the
//! latest waker must be called when the task finishes. The other side, `finish`, is right.
//!
//! A test that only starts two threads hardly ever meets the moment that matters: when we ran one 100,000 times, the
//! starter below lost 5 wakes. So the tests here stop the handle at a gate in front of each store, and let the other
//! thread finish the task there.
//!
//! Run: `cargo test --bin s08b_finished_meanwhile`, or save this file while `rustlings` runs.
//! Red: a test says at which moment the task finished, and what the handle did then.

use std::{
    collections::VecDeque,
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Poll, Waker},
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
        if !shared.finished.load(SeqCst) {
            shared.waiting.store(cx.waker().clone());
            // The task may have finished since the check, when this waker was not there yet.
            if !shared.finished.load(SeqCst) {
                return Poll::Pending;
            }
        }
        let result = shared.result.lock().unwrap().take();
        Poll::Ready(result.expect("the result is given out once"))
    }
}

/// A place for a waker, with a gate in front of each store.
#[derive(Default)]
struct Slot {
    waker: Mutex<Option<Waker>>,
    gates: Mutex<VecDeque<Box<dyn FnOnce() + Send>>>,
}

impl Slot {
    /// Replaces the waker that is there, if any.
    fn store(&self, waker: Waker) {
        // The tests let things happen here.
        let gate = self.gates.lock().unwrap().pop_front();
        if let Some(gate) = gate {
            gate();
        }
        let earlier = self.waker.lock().unwrap().replace(waker);
        drop(earlier);
    }

    /// Takes the waker out.
    fn take(&self) -> Option<Waker> {
        self.waker.lock().unwrap().take()
    }

    /// Whether there is a waker.
    fn is_empty(&self) -> bool {
        self.waker.lock().unwrap().is_none()
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use probe::{CountingWaker, watch, within};
    use std::{sync::mpsc, thread, time::Duration};

    const LIMIT: Duration = Duration::from_secs(2);

    fn handle() -> (Arc<Shared<u32>>, JoinHandle<u32>) {
        let shared = Arc::new(Shared {
            finished: AtomicBool::new(false),
            result: Mutex::new(None),
            waiting: Slot::default(),
        });
        (Arc::clone(&shared), JoinHandle(shared))
    }

    /// Lets `act` happen when the handle has stored so many wakers, and is about to store one more.
    fn before_a_store(shared: &Shared<u32>, stored: usize, act: impl FnOnce() + Send + 'static) {
        let mut gates = shared.waiting.gates.lock().unwrap();
        gates.extend((0..stored).map(|_| Box::new(|| ()) as Box<dyn FnOnce() + Send>));
        gates.push_back(Box::new(act));
    }

    /// Lets another thread finish the task at that moment, and waits until it has, unless the handle keeps it out by the
    /// lock of the result. Gives out that thread when it was started.
    fn finish_before_a_store(
        shared: &Arc<Shared<u32>>,
        stored: usize,
        result: u32,
    ) -> mpsc::Receiver<thread::JoinHandle<()>> {
        let (started, is_started) = mpsc::channel();
        let worker = Arc::clone(shared);
        before_a_store(shared, stored, move || {
            let kept_out = worker.result.try_lock().is_err();
            let thread = thread::spawn(move || worker.finish(result));
            while !kept_out && !thread.is_finished() {
                thread::yield_now();
            }
            started.send(thread).unwrap();
        });
        is_started
    }

    fn poll(handle: &mut (impl Future<Output = u32> + Unpin), waker: &CountingWaker) -> Poll<u32> {
        Pin::new(handle).poll(&mut Context::from_waker(&waker.waker()))
    }

    #[test]
    fn finished_before_the_poll() {
        within(LIMIT, || {
            let (shared, handle) = handle();
            shared.finish(7);
            let answer = poll(&mut watch("the handle", handle), &CountingWaker::new());
            assert!(
                answer == Poll::Ready(7),
                "the task had finished before the poll, with 7, and the handle returned {answer:?}"
            );
        });
    }

    #[test]
    fn finished_after_the_poll() {
        within(LIMIT, || {
            let (shared, handle) = handle();
            let mut handle = watch("the handle", handle);
            let waker = CountingWaker::new();
            let answer = poll(&mut handle, &waker);
            assert!(
                answer.is_pending() && waker.wakes() == 0,
                "the task had not finished. The handle should be pending, and it should not wake its own task, because \
                 nothing has happened yet. It returned {answer:?}, and woke {} times",
                waker.wakes()
            );
            shared.finish(7);
            let wakes = waker.wakes();
            assert!(
                wakes == 1,
                "the task finished after the handle was pending, so the handle's waker must be called once. It was called \
                 {wakes} times"
            );
            assert_eq!(poll(&mut handle, &waker), Poll::Ready(7));
        });
    }

    #[test]
    fn finished_between_the_check_and_the_store() {
        within(LIMIT, || {
            let (shared, handle) = handle();
            let worker = finish_before_a_store(&shared, 0, 7);
            let mut handle = watch("the handle", handle);
            let waker = CountingWaker::new();
            let first = poll(&mut handle, &waker);
            worker.try_iter().for_each(|it| it.join().unwrap());
            assert!(
                first == Poll::Ready(7) || waker.wakes() > 0,
                "The task finished while the handle was about to store its waker. The worker found no waker to call, and \
                 the handle returned {first:?} all the same. So nothing will ever wake the handle's task.\n\
                 Wanted: at whatever moment the task finishes, the handle is ready, or its waker is called.\n\
                 Look at: which line of `poll` would notice what happened just before the store?"
            );
            if first.is_pending() {
                assert_eq!(poll(&mut handle, &waker), Poll::Ready(7), "woken");
            }
        });
    }

    #[test]
    fn half_finished_before_the_poll() {
        within(LIMIT, || {
            let (shared, handle) = handle();
            // The first line of `finish`, and the others at the gate.
            *shared.result.lock().unwrap() = Some(7);
            let worker = Arc::clone(&shared);
            before_a_store(&shared, 0, move || {
                worker.finished.store(true, SeqCst);
                worker.waiting.take().into_iter().for_each(Waker::wake);
            });
            let waker = CountingWaker::new();
            let answer = poll(&mut watch("the handle", handle), &waker);
            assert!(
                answer == Poll::Ready(7) || waker.wakes() > 0,
                "The worker was in the middle of `finish` when the handle was polled: the result was there, and `finished` \
                 was set when the handle was about to store its waker. The worker found no waker to call, and the handle \
                 returned {answer:?}. A lock of the result does not keep the worker out any more."
            );
        });
    }

    #[test]
    fn finished_before_any_other_store() {
        within(LIMIT, || {
            for stored in 1..4 {
                let (shared, handle) = handle();
                let worker = finish_before_a_store(&shared, stored, 7);
                let waker = CountingWaker::new();
                let answer = poll(&mut watch("the handle", handle), &waker);
                let Ok(worker) = worker.try_recv() else {
                    return; // The handle has stored no more wakers than these.
                };
                worker.join().unwrap();
                assert!(
                    answer == Poll::Ready(7) || waker.wakes() > 0,
                    "One poll stored a waker more than once, and the task finished just before store {}. The worker found \
                     no waker to call, because the handle had taken it out, and the handle returned {answer:?}. So nothing \
                     will ever wake the handle's task.",
                    stored + 1
                );
            }
        });
    }

    #[test]
    fn finished_between_the_check_and_the_store_of_a_later_poll() {
        within(LIMIT, || {
            let (shared, handle) = handle();
            let mut handle = watch("the handle", handle);
            let (earlier, latest) = (CountingWaker::new(), CountingWaker::new());
            assert!(poll(&mut handle, &earlier).is_pending());
            let worker = finish_before_a_store(&shared, 0, 7);
            let second = poll(&mut handle, &latest);
            worker.try_iter().for_each(|it| it.join().unwrap());
            assert!(
                second == Poll::Ready(7) || latest.wakes() > 0,
                "the handle was polled by a second task, and the task that it waits for finished before this poll had \
                 stored its waker. The handle returned {second:?}, and the worker woke the first task, which does not \
                 poll the handle any more"
            );
        });
    }

    #[test]
    fn the_latest_waker_is_called() {
        within(LIMIT, || {
            let (shared, handle) = handle();
            let mut handle = watch("the handle", handle);
            let (earlier, latest) = (CountingWaker::new(), CountingWaker::new());
            assert!(poll(&mut handle, &earlier).is_pending());
            assert!(poll(&mut handle, &latest).is_pending());
            shared.finish(7);
            assert!(
                latest.wakes() == 1,
                "the handle was polled by one task and then by another, so the waker of the latest poll must be called when \
                 the task finishes. It was called {} times, and that of the earlier poll {} times",
                latest.wakes(),
                earlier.wakes()
            );
        });
    }
}
