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
//! Red: a test says what the task was doing when it was aborted, and what became of it. Between two steps of `abort`, the tests
//! let other threads act.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{
            AtomicUsize,
            Ordering::{self, SeqCst},
        },
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
    state: Word,
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
        state: Word(AtomicUsize::new(SCHEDULED)),
        future: probe::Mutex::new(Some(Box::pin(future))),
        schedule,
    });
    schedule(Arc::clone(&task));
    JoinHandle(task)
}

/// A word that threads share. Its methods are those of an `AtomicUsize`, each one atomic step.
struct Word(AtomicUsize);

impl Word {
    fn load(&self, ordering: Ordering) -> usize {
        self.step(|word| word.load(ordering))
    }

    fn fetch_or(&self, bits: usize, ordering: Ordering) -> usize {
        self.step(|word| word.fetch_or(bits, ordering))
    }

    fn fetch_and(&self, bits: usize, ordering: Ordering) -> usize {
        self.step(|word| word.fetch_and(bits, ordering))
    }

    fn fetch_xor(&self, bits: usize, ordering: Ordering) -> usize {
        self.step(|word| word.fetch_xor(bits, ordering))
    }

    fn compare_exchange(
        &self,
        current: usize,
        new: usize,
        success: Ordering,
        failure: Ordering,
    ) -> Result<usize, usize> {
        self.step(|word| word.compare_exchange(current, new, success, failure))
    }

    /// Takes a step. After it, the tests let other threads act.
    fn step<T>(&self, take: impl FnOnce(&AtomicUsize) -> T) -> T {
        let before = take(&self.0);
        #[cfg(test)]
        tests::between_two_steps();
        before
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, Counts, watch, within};
    use std::{
        cell::RefCell,
        collections::VecDeque,
        future::poll_fn,
        sync::{LazyLock, Mutex, OnceLock, mpsc},
        task::Poll,
        thread,
        time::Duration,
    };
    use step08_join_handle::Queue;

    const LIMIT: Duration = Duration::from_secs(2);

    type Act = Box<dyn FnOnce()>;

    thread_local! {
        /// After how many more steps of this thread others act, and what they do.
        static OTHERS: RefCell<Option<(usize, Act)>> = const { RefCell::new(None) };
        /// The queue of this test.
        static QUEUE: RefCell<VecDeque<Arc<Task>>> = const { RefCell::new(VecDeque::new()) };
    }

    pub(super) fn between_two_steps() {
        let act = OTHERS.with_borrow_mut(|others| match others {
            Some((0, _)) => others.take(),
            Some((steps, _)) => {
                *steps -= 1;
                None
            }
            None => None,
        });
        if let Some((_, act)) = act {
            act();
        }
    }

    /// Aborts the task, and lets others act after so many steps of `abort`, or after all if they are fewer.
    fn abort_and(handle: &JoinHandle, steps: usize, act: impl FnOnce() + 'static) {
        OTHERS.set(Some((steps, Box::new(act))));
        handle.abort();
        if let Some((_, act)) = OTHERS.take() {
            act();
        }
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
        waits_with(Arc::default())
    }

    /// Pending, and leaves its waker here.
    fn waits_with(kept: Arc<Mutex<Option<Waker>>>) -> impl Future<Output = ()> + Send + 'static {
        poll_fn(move |cx| {
            let earlier = kept.lock().unwrap().replace(cx.waker().clone());
            drop(earlier);
            Poll::Pending
        })
    }

    #[track_caller]
    fn is_dropped(handle: &JoinHandle, counts: &Counts, when: &str) {
        let (state, look) = match (handle.is_finished(), counts.drops() > 0) {
            (true, true) => return,
            (true, false) => (
                "its state is FINISHED, but its future was not dropped",
                "which code may set FINISHED?",
            ),
            (false, true) => (
                "its future was dropped, but its state is not FINISHED",
                "`run` and `finish` flip bits. They need SCHEDULED set when a worker takes the task from the queue, and the \
                 bits RUNNING and FINISHED left to the worker. What does `abort` leave behind?",
            ),
            (false, false) => (
                "its future still exists, with all that it holds",
                "how does the worker learn that it has something to do?",
            ),
        };
        panic!(
            "The task was aborted {when}. The worker has run everything that was in the queue, and {state}.\n\
             Wanted: the worker drops the future.\n\
             Look at: {look}"
        );
    }

    #[test]
    fn aborted_while_it_is_idle() {
        within(LIMIT, || {
            let (handle, counts) = spawn_counted(push, waits());
            work();
            handle.abort();
            assert!(
                counts.drops() == 0,
                "The task was aborted while it was idle, and `abort` has dropped its future.\n\
                 Wanted: a worker drops it. The thread that aborts may hold a lock that the future's destructor wants, and \
                 should not wait for it.\n\
                 Look at: what brings an idle task to a worker?"
            );
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
    fn a_wake_may_come_after_each_step() {
        within(LIMIT, || {
            for steps in 0..4 {
                let kept = Arc::default();
                let (handle, counts) = spawn_counted(push, waits_with(Arc::clone(&kept)));
                work();
                let waker = kept.lock().unwrap().clone().unwrap();
                abort_and(&handle, steps, move || waker.wake());
                assert!(
                    queued() <= 1,
                    "the task was aborted while it was idle, and another thread woke it after step {} of `abort`. Now it is \
                     in the queue {} times, where one entry is enough. Which bit says that it is there?",
                    steps + 1,
                    queued()
                );
                work();
                let when = format!(
                    "while it was idle, and woken after step {} of `abort`",
                    steps + 1
                );
                is_dropped(&handle, &counts, &when);
            }
        });
    }

    #[test]
    fn its_poll_may_end_after_each_step() {
        // Of the two threads of this test.
        static QUEUE: LazyLock<Queue<Arc<Task>>> = LazyLock::new(Queue::new);
        within(LIMIT, || {
            for steps in 0..4 {
                let (begin, has_begun) = mpsc::channel();
                let (end, may_end) = mpsc::channel();
                let waits = poll_fn(move |_| {
                    begin.send(()).unwrap();
                    may_end.recv().unwrap();
                    Poll::Pending
                });
                let (handle, counts) = spawn_counted(|task| QUEUE.push(task), waits);
                let worker = thread::spawn(|| QUEUE.try_pop().unwrap().run());
                has_begun.recv().unwrap();
                abort_and(&handle, steps, move || {
                    end.send(()).unwrap();
                    worker.join().unwrap();
                });
                while let Some(task) = QUEUE.try_pop() {
                    task.run();
                }
                let when = format!(
                    "during a poll, which was over, with Pending, after step {} of `abort`",
                    steps + 1
                );
                is_dropped(&handle, &counts, &when);
            }
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
