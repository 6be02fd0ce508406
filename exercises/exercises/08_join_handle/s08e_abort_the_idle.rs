//! s08e · repair · 12 minutes · chapter 08, "Join handles and worker threads"
//!
//! A task that waits for a message which never comes holds a file open. So it is aborted. But `abort` only leaves a note in
//! the task's state, and a worker reads the note when it takes the task from the queue. If no code wakes the task any more,
//! that never happens, and the file stays open. In tokio 1.8.1, too, an `abort` could be without effect (its issue 3964).
//!
//! Fix `abort`. The task may be idle, in the queue, finished, or being polled by a worker, which may be the thread that
//! calls `abort`. Unless it is finished, it must not be polled again, and a worker has to drop its future, either at once
//! or after the poll that is running now.
//!
//! Run: `cargo test --bin s08e_abort_the_idle`, or save this file while `rustlings` runs.
//! Red: a test says what the task was doing when it was aborted, and what became of it.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Wake, Waker},
};

/// To be polled: in the queue, or woken during the poll.
const SCHEDULED: usize = 1;
/// A worker polls it.
const RUNNING: usize = 2;
/// Its future has been dropped.
const FINISHED: usize = 4;
/// It was aborted, so its future is to be dropped rather than polled.
const CANCELLED: usize = 8;

struct Task {
    state: AtomicUsize,
    /// Locked during the poll.
    future: probe::Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    /// Puts the task into the queue of the workers.
    schedule: fn(Arc<Task>),
}

struct JoinHandle(Arc<Task>);

impl JoinHandle {
    /// Cancels the task. Does not wait for the worker that polls it.
    fn abort(&self) {
        // TODO: the worker that takes the task from the queue will see this. And if the task is not in the queue?
        self.0.state.fetch_or(CANCELLED, SeqCst);
    }

    /// Whether the future has been dropped.
    fn is_finished(&self) -> bool {
        self.0.state.load(SeqCst) & FINISHED != 0
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let before = self.state.fetch_or(SCHEDULED, SeqCst);
        if before & (SCHEDULED | RUNNING | FINISHED) == 0 {
            (self.schedule)(Arc::clone(self));
        }
    }
}

impl Task {
    /// Called by the worker that has taken the task from the queue.
    fn run(self: Arc<Self>) {
        // SCHEDULED was set, and RUNNING was not. Changes both.
        let before = self.state.fetch_xor(SCHEDULED | RUNNING, SeqCst);
        if before & CANCELLED != 0 || self.poll() {
            self.finish();
        } else if self.state.fetch_and(!RUNNING, SeqCst) & SCHEDULED != 0 {
            (self.schedule)(self);
        }
    }

    /// Polls the future. Returns whether it is ready.
    fn poll(self: &Arc<Self>) -> bool {
        let waker = Waker::from(Arc::clone(self));
        let mut future = self.future.lock().unwrap();
        let future = future.as_mut().expect("it is not finished");
        future
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready()
    }

    fn finish(&self) {
        let future = self.future.lock().unwrap().take();
        drop(future);
        self.state.fetch_xor(RUNNING | FINISHED, SeqCst);
    }
}

/// Makes a task, and schedules it for the first time.
fn spawn(schedule: fn(Arc<Task>), future: impl Future<Output = ()> + Send + 'static) -> JoinHandle {
    let task = Arc::new(Task {
        state: AtomicUsize::new(SCHEDULED),
        future: probe::Mutex::new(Some(Box::pin(future))),
        schedule,
    });
    schedule(Arc::clone(&task));
    JoinHandle(task)
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, Counts, watch, within};
    use std::{
        cell::RefCell, collections::VecDeque, future::poll_fn, sync::OnceLock, task::Poll, thread,
        time::Duration,
    };

    const LIMIT: Duration = Duration::from_secs(2);

    thread_local! {
        /// The queue of this test.
        static QUEUE: RefCell<VecDeque<Arc<Task>>> = const { RefCell::new(VecDeque::new()) };
    }

    fn push(task: Arc<Task>) {
        QUEUE.with_borrow_mut(|queue| queue.push_back(task));
    }

    /// The worker: runs tasks until the queue is empty.
    fn work() {
        while let Some(task) = QUEUE.with_borrow_mut(VecDeque::pop_front) {
            task.run();
        }
    }

    fn queued() -> usize {
        QUEUE.with_borrow(VecDeque::len)
    }

    fn spawn_counted(
        schedule: fn(Arc<Task>),
        future: impl Future<Output = ()> + Send + 'static,
    ) -> (JoinHandle, Counts) {
        let counted = Counted::new(watch("the aborted task", future));
        let counts = counted.counts();
        (spawn(schedule, counted), counts)
    }

    /// Pending, and keeps its waker as if a message could come.
    fn waits() -> impl Future<Output = ()> + Send + 'static {
        let mut kept = None;
        poll_fn(move |cx| {
            kept.replace(cx.waker().clone());
            Poll::Pending
        })
    }

    #[track_caller]
    fn is_dropped(handle: &JoinHandle, counts: &Counts, when: &str) {
        let state = match (handle.is_finished(), counts.drops() > 0) {
            (true, true) => return,
            (true, false) => "its state is FINISHED, but its future was not dropped",
            (false, true) => "its future was dropped, but its state is not FINISHED",
            (false, false) => "its future still exists, with all that it holds",
        };
        panic!(
            "The task was aborted {when}. The worker has run everything that was in the queue, and {state}.\n\
             Wanted: the worker drops the future.\n\
             Look at: how does the worker learn that it has something to do?"
        );
    }

    #[test]
    fn aborted_while_it_is_idle() {
        within(LIMIT, || {
            let (handle, counts) = spawn_counted(push, waits());
            work();
            handle.abort();
            handle.abort();
            assert!(
                queued() <= 1,
                "the task was aborted twice, and is in the queue {} times",
                queued()
            );
            work();
            is_dropped(&handle, &counts, "while it was idle");
            assert_eq!(counts.polls(), 1, "polls, of which none after the abort");
        });
    }

    #[test]
    fn aborted_before_its_first_poll() {
        within(LIMIT, || {
            let (handle, counts) = spawn_counted(push, waits());
            handle.abort();
            assert!(
                queued() == 1,
                "the task was in the queue already when it was aborted, and now it is there {} times",
                queued()
            );
            work();
            is_dropped(&handle, &counts, "before its first poll");
            assert_eq!(counts.polls(), 0, "polls, of which none after the abort");
        });
    }

    /// A task that aborts itself in its first poll, which then returns `answer`.
    fn aborts_itself(answer: Poll<()>) -> (Arc<OnceLock<JoinHandle>>, Counts) {
        let shared = Arc::new(OnceLock::<JoinHandle>::new());
        let of_the_task = Arc::clone(&shared);
        let (handle, counts) = spawn_counted(
            push,
            poll_fn(move |_| {
                of_the_task.get().unwrap().abort();
                assert!(
                    queued() == 0,
                    "the task was aborted while a worker polled it, and now it is in the queue, where a second worker could \
                     take it"
                );
                answer
            }),
        );
        assert!(shared.set(handle).is_ok());
        (shared, counts)
    }

    #[test]
    fn aborted_in_its_own_poll() {
        within(LIMIT, || {
            let (shared, counts) = aborts_itself(Poll::Pending);
            work();
            let handle = shared.get().unwrap();
            is_dropped(handle, &counts, "in its own poll, which returned Pending");
            assert_eq!(counts.polls(), 1, "polls, of which none after the abort");
        });
    }

    #[test]
    fn aborted_in_its_last_poll() {
        within(LIMIT, || {
            let (shared, counts) = aborts_itself(Poll::Ready(()));
            work();
            let handle = shared.get().unwrap();
            is_dropped(handle, &counts, "in its own poll, which returned Ready");
        });
    }

    #[test]
    fn aborted_when_it_is_finished() {
        within(LIMIT, || {
            let (handle, counts) = spawn_counted(push, async {});
            work();
            handle.abort();
            assert!(
                queued() == 0,
                "the task was aborted when it had finished, and now it is in the queue. A worker would take it, and find no \
                 future"
            );
        });
    }

    #[test]
    fn a_worker_takes_it_at_once() {
        within(LIMIT, || {
            // Another thread is quick: it runs the task before `abort` has returned.
            let at_once = |task: Arc<Task>| thread::spawn(|| task.run()).join().unwrap();
            let (handle, counts) = spawn_counted(at_once, waits());
            handle.abort();
            let polls = counts.polls();
            assert!(
                polls == 1,
                "A task that was polled once was aborted while it was idle. A worker took it from the queue at once, before \
                 `abort` had returned, and polled it: {polls} polls.\n\
                 Wanted: the worker that takes the task sees that it is aborted.\n\
                 Look at: the order of the steps in `abort`."
            );
            is_dropped(&handle, &counts, "while it was idle");
        });
    }
}
