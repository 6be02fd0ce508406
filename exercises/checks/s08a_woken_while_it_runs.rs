use super::{given::OTHER, *};
use probe::{watch, within};
use std::{
    cell::Cell,
    future::{Future, poll_fn},
    panic::{catch_unwind, resume_unwind},
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    task::{Context, Poll, Wake, Waker},
    thread,
    time::Duration,
};
use step08_join_handle::Queue;

const LIMIT: Duration = Duration::from_secs(2);

thread_local! {
    /// Whether a step that is wrong ends its test without a message.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// A state, and how many times its task is in the queue.
struct Ticked {
    state: State,
    queued: AtomicUsize,
}

impl Ticked {
    fn spawned() -> Arc<Ticked> {
        Arc::new(Ticked {
            state: State::spawned(),
            queued: AtomicUsize::new(1),
        })
    }

    fn wake(&self) {
        self.queue_if(self.state.wake());
    }

    fn start(&self) {
        self.queued.fetch_sub(1, SeqCst);
        self.state.start();
    }

    fn pause(&self) {
        self.queue_if(self.state.pause());
    }

    fn queue_if(&self, queue: bool) {
        self.queued.fetch_add(queue.into(), SeqCst);
    }

    fn is_queued(&self, times: usize, events: &str) {
        let queued = self.queued.load(SeqCst);
        if queued != times && QUIET.get() {
            resume_unwind(Box::new(()));
        }
        assert!(
            queued == times,
            "{events}.\nEntries of the task in the queue now: {queued}. Wanted: {times}."
        );
    }
}

#[test]
fn a_wake_between_two_polls_schedules_once() {
    let task = Ticked::spawned();
    task.wake();
    task.is_queued(1, "spawned, woken before its first poll");
    task.start();
    task.pause();
    task.is_queued(0, "polled without a wake");
    task.wake();
    task.is_queued(1, "polled, then woken");
    task.wake();
    task.is_queued(1, "polled, then woken twice");
}

#[test]
fn a_wake_during_the_poll_schedules_after_it() {
    let (task, other) = (Ticked::spawned(), Ticked::spawned());
    other.start();
    task.start();
    task.wake();
    task.wake();
    other.pause();
    other.is_queued(
        0,
        "polled without a wake, while another task was woken in its own poll",
    );
    task.is_queued(
        0,
        "woken while a worker polls it. A second worker could take it from the queue and poll it too",
    );
    task.pause();
    task.is_queued(1, "woken during its poll, and the poll is over");
    task.wake();
    task.is_queued(1, "woken during its poll and again after it");
    task.start();
    task.pause();
    task.is_queued(0, "the wake during the first poll led to a second poll");
}

#[test]
fn a_finished_task_is_never_scheduled() {
    let task = Ticked::spawned();
    task.start();
    task.state.finish();
    task.wake();
    task.is_queued(
        0,
        "polled without a wake, finished, and woken after that. A worker would take it and poll it again",
    );
    let task = Ticked::spawned();
    task.start();
    task.wake();
    task.is_queued(0, "woken in the poll that will be its last");
    task.state.finish();
    task.wake();
    task.is_queued(0, "woken in its last poll and again when it had finished");
}

#[test]
fn a_wake_may_come_between_two_steps_of_start() {
    for steps in 0..4 {
        let task = Ticked::spawned();
        let woken = Arc::clone(&task);
        OTHER.set(Some((steps, Box::new(move || woken.wake()))));
        task.start();
        OTHER.take();
        task.is_queued(
            0,
            &format!(
                "another thread woke it after step {} of `start`, while its worker was about to poll it. A second \
                 worker could take it from the queue and poll it too",
                steps + 1
            ),
        );
    }
}

#[test]
fn a_wake_may_come_between_two_steps_of_pause() {
    for steps in 0..4 {
        let task = Ticked::spawned();
        task.start();
        let woken = Arc::clone(&task);
        OTHER.set(Some((steps, Box::new(move || woken.wake()))));
        task.pause();
        // If `pause` took fewer steps, the wake comes now.
        if let Some((_, wake)) = OTHER.take() {
            wake();
        }
        task.is_queued(
            1,
            &format!("another thread woke it after step {} of `pause`", steps + 1),
        );
    }
}

#[test]
fn two_wakes_at_the_same_time_schedule_once() {
    for steps in 0..4 {
        let task = Ticked::spawned();
        task.start();
        task.pause();
        let woken = Arc::clone(&task);
        OTHER.set(Some((steps, Box::new(move || woken.wake()))));
        task.wake();
        OTHER.take();
        task.is_queued(
            1,
            &format!(
                "two threads woke it at the same time, the second after step {} of the first `wake`",
                steps + 1
            ),
        );
    }
}

/// For each of the first steps of `wake`: lets the worker act after it, or after `wake` if that takes fewer steps.
fn in_each_step_of_wake(
    task: impl Fn() -> Arc<Ticked>,
    act: fn(&Ticked),
    queued: usize,
    events: &str,
) {
    for steps in 0..4 {
        let task = task();
        let worker = Arc::clone(&task);
        OTHER.set(Some((steps, Box::new(move || act(&worker)))));
        task.wake();
        if let Some((_, act)) = OTHER.take() {
            act();
        }
        task.is_queued(queued, &format!("{events} step {} of `wake`", steps + 1));
    }
}

fn polled() -> Arc<Ticked> {
    let task = Ticked::spawned();
    task.start();
    task
}

#[test]
fn the_poll_may_begin_between_two_steps_of_wake() {
    in_each_step_of_wake(
        Ticked::spawned,
        Ticked::start,
        0,
        "it was woken while it was in the queue, and a worker took it and began to poll it after",
    );
}

#[test]
fn the_poll_may_end_between_two_steps_of_wake() {
    in_each_step_of_wake(
        polled,
        Ticked::pause,
        1,
        "it was woken during its poll, and the poll was over, with Pending, after",
    );
    in_each_step_of_wake(
        polled,
        |task| task.state.finish(),
        0,
        "it was woken during its poll, and the poll was over, with Ready, after",
    );
}

/// A task for real workers.
struct Task {
    state: State,
    future: Mutex<Pin<Box<dyn Future<Output = ()> + Send>>>,
    queue: Arc<Queue<Arc<Task>>>,
}

impl Task {
    fn spawn(
        queue: &Arc<Queue<Arc<Task>>>,
        name: &str,
        future: impl Future<Output = ()> + Send + 'static,
    ) -> Arc<Task> {
        let task = Arc::new(Task {
            state: State::spawned(),
            future: Mutex::new(Box::pin(watch(name, future))),
            queue: Arc::clone(queue),
        });
        queue.push(Arc::clone(&task));
        task
    }

    fn run(self: &Arc<Self>) {
        self.state.start();
        let mut future = self
            .future
            .try_lock()
            .expect("two workers poll the same task");
        let waker = Waker::from(Arc::clone(self));
        let answer = future.as_mut().poll(&mut Context::from_waker(&waker));
        drop(future);
        if answer.is_ready() {
            self.state.finish();
            self.queue.close();
        } else if self.state.pause() {
            self.queue.push(Arc::clone(self));
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        if self.state.wake() {
            self.queue.push(Arc::clone(&self));
        }
    }
}

#[test]
fn a_second_worker_finds_no_task_that_is_being_polled() {
    within(LIMIT, || {
        let queue = Arc::new(Queue::new());
        let (woken, is_woken) = mpsc::channel();
        let (looked, has_looked) = mpsc::channel();
        let mut polls = 0;
        Task::spawn(
            &queue,
            "wakes itself, and waits until the second worker has looked into the queue",
            poll_fn(move |cx| {
                polls += 1;
                if polls == 2 {
                    return Poll::Ready(());
                }
                cx.waker().wake_by_ref();
                woken.send(()).unwrap();
                has_looked.recv().unwrap();
                Poll::Pending
            }),
        );
        let of_the_second = Arc::clone(&queue);
        let second = thread::spawn(move || {
            is_woken.recv().unwrap();
            let found = of_the_second.try_pop().is_some();
            looked.send(()).unwrap();
            found
        });
        queue.pop().unwrap().run();
        assert!(
            !second.join().unwrap(),
            "While one worker polled the task, a second worker found it in the queue, and would have polled it too. A \
             wake during the poll has to leave the queue alone."
        );
        let again = queue.try_pop();
        let again =
            again.expect("the task was woken during its poll, and must be in the queue after it");
        again.run();
    });
}

#[test]
fn two_workers_lose_none_of_a_thousand_wakes() {
    // First step by step, because a thread that waits for a lost wake says less, and ends the other tests.
    QUIET.set(true);
    let steps = catch_unwind(|| {
        a_wake_between_two_polls_schedules_once();
        a_wake_during_the_poll_schedules_after_it();
        a_finished_task_is_never_scheduled();
        a_wake_may_come_between_two_steps_of_start();
        a_wake_may_come_between_two_steps_of_pause();
        two_wakes_at_the_same_time_schedule_once();
        the_poll_may_begin_between_two_steps_of_wake();
        the_poll_may_end_between_two_steps_of_wake();
    });
    QUIET.set(false);
    OTHER.take();
    assert!(
        steps.is_ok(),
        "not tried yet: two threads start when all the tests that go step by step pass."
    );
    within(LIMIT, || {
        const EVENTS: usize = 1_000;
        let queue = Arc::new(Queue::new());
        let (events, seen) = (Arc::new(AtomicUsize::new(0)), Arc::clone(&queue));
        let counter = Arc::clone(&events);
        let task = Task::spawn(
            &queue,
            "waits for 1,000 events",
            poll_fn(move |cx| {
                // A clone, as a future has to leave one with the code that wakes it.
                let _waker = cx.waker().clone();
                match counter.load(SeqCst) {
                    EVENTS => Poll::Ready(()),
                    _ => Poll::Pending,
                }
            }),
        );
        let workers = [Arc::clone(&queue), seen].map(|queue| {
            thread::spawn(move || {
                while let Some(task) = queue.pop() {
                    task.run();
                }
            })
        });
        for _ in 0..EVENTS {
            events.fetch_add(1, SeqCst);
            Arc::clone(&task).wake();
        }
        for worker in workers {
            assert!(worker.join().is_ok(), "two workers polled the same task");
        }
    });
}
