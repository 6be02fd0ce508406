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
