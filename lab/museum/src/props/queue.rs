//! A queue that several workers share, and a way to wait until nothing moves any more.
//!
//! A worker that is asleep or dead can't be faster than anything. So the exhibits of chapter 08 need no luck: what must
//! come second waits in [`Queue::until_idle`] for what must come first.

use std::{
    collections::VecDeque,
    future::{Future, poll_fn},
    sync::{Arc, Condvar, Mutex, MutexGuard},
    task::Poll,
    thread,
};

/// As a channel with that many receivers.
pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    entries: VecDeque<T>,
    /// Those that have not ended yet, or not started.
    workers: usize,
    asleep: usize,
    is_closed: bool,
}

/// As `SendError` of a channel: nothing will ever take an entry from this queue.
#[derive(Debug)]
pub(crate) struct NoWorkerLeft;

impl<T> Queue<T> {
    pub(crate) fn for_workers(workers: usize) -> Arc<Queue<T>> {
        let state = State {
            entries: VecDeque::new(),
            workers,
            asleep: 0,
            is_closed: false,
        };
        Arc::new(Queue {
            state: Mutex::new(state),
            changed: Condvar::new(),
        })
    }

    pub(crate) fn push(&self, entry: T) -> Result<(), NoWorkerLeft> {
        let mut state = self.lock();
        if state.workers == 0 {
            return Err(NoWorkerLeft);
        }
        state.entries.push_back(entry);
        self.changed.notify_all();
        Ok(())
    }

    /// The oldest entry. Sleeps until there is one. `None` once the queue is closed.
    pub(crate) fn pop(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(entry) = state.entries.pop_front() {
                return Some(entry);
            }
            state.asleep += 1;
            self.changed.notify_all();
            state = self.changed.wait(state).expect("no panic under this lock");
            state.asleep -= 1;
        }
    }

    /// Waits until each worker is asleep or dead, except for so many, and the queue is empty, unless no worker is left
    /// to empty it. Returns how many are not dead.
    pub(crate) fn until_idle(&self, except: usize) -> usize {
        let moves = |state: &mut State<T>| {
            state.asleep + except < state.workers || (state.asleep > 0 && !state.entries.is_empty())
        };
        let state = self.changed.wait_while(self.lock(), moves);
        state.expect("no panic under this lock").workers
    }

    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().expect("no panic under this lock")
    }
}

/// What the thread of a worker does. The queue learns of its end, even if that is a panic.
pub(crate) fn serve<T>(queue: &Queue<T>, work: impl FnOnce()) {
    struct Ends<'a, T>(&'a Queue<T>);
    impl<T> Drop for Ends<'_, T> {
        fn drop(&mut self) {
            self.0.lock().workers -= 1;
            self.0.changed.notify_all();
        }
    }
    let _ends = Ends(queue);
    work();
}

/// Does `work` on as many threads as the queue has workers, and `meanwhile` on this one. Then closes the queue.
pub(crate) fn with_workers<T: Send>(
    queue: &Queue<T>,
    work: impl Fn() + Sync,
    meanwhile: impl FnOnce(),
) {
    thread::scope(|scope| {
        let workers = queue.lock().workers;
        let start = |_| {
            // One name for all: which worker takes which entry is not certain.
            let thread = thread::Builder::new().name("worker".to_owned());
            let worker = thread.spawn_scoped(scope, || serve(queue, &work));
            worker.expect("a thread")
        };
        let workers: Vec<_> = (0..workers).map(start).collect();
        meanwhile();
        queue.close();
        for worker in workers {
            let _ = worker.join();
        }
    });
}

/// Wakes itself in its first poll, and does not return from it before the other workers have done all that they can
/// do. At its second poll it is ready.
pub(crate) fn woken_while_it_runs<T: Send + 'static>(
    queue: &Arc<Queue<T>>,
) -> impl Future<Output = ()> + Send + use<T> {
    let queue = Arc::clone(queue);
    let mut is_first = true;
    poll_fn(move |cx| {
        if !is_first {
            return Poll::Ready(());
        }
        is_first = false;
        cx.waker().wake_by_ref();
        queue.until_idle(1);
        Poll::Pending
    })
}
