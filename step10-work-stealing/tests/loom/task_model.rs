//! A task, its handle and its wakers, from two and three threads. Their runtime is a queue and the list of those that wait. Of the
//! future, the result and the handle's waker, loom checks that no two threads have them at once.

use std::{
    collections::VecDeque,
    future::{Future, pending, poll_fn, ready},
    pin::Pin,
    sync::{
        Arc,
        Mutex,
        // Not loom's: these count, and order nothing.
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll, Waker},
};

use loom::{
    future::block_on,
    sync::{
        Arc as LoomArc,
        atomic::{AtomicUsize as LoomUsize, Ordering::Relaxed},
    },
    thread,
};

use crate::sync::lock;
use crate::task::{self, JoinHandle, List, Schedule, Slot, Task, Why};

use super::interrupted;

/// Counts its drops.
#[derive(Debug)]
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

/// The least that a task can have for a runtime. There are no workers: the models take the tasks from the queue.
struct Runtime {
    queue: loom::sync::Mutex<VecDeque<Task>>,
    waiting_tasks: List,
}

impl Schedule for Runtime {
    type RunQueue = Arc<Runtime>;

    fn run_queue(self: &Arc<Self>) -> Arc<Runtime> {
        Arc::clone(self)
    }

    fn schedule(runtime: Arc<Runtime>, task: Task, _why: Why) {
        lock(&runtime.queue).push_back(task);
    }

    fn waiting_tasks(&self) -> &List {
        &self.waiting_tasks
    }
}

#[derive(Clone)]
struct Queue(Arc<Runtime>);

impl Queue {
    fn new() -> Queue {
        Queue(Arc::new(Runtime {
            queue: loom::sync::Mutex::default(),
            waiting_tasks: List::new(),
        }))
    }

    fn pop(&self) -> Option<Task> {
        lock(&self.0.queue).pop_front()
    }

    fn run_all(&self) {
        while let Some(task) = self.pop() {
            task.run();
        }
    }

    /// Each cell holds the runtime, so the count says how many are not freed.
    fn assert_freed(self) {
        assert!(self.pop().is_none());
        assert_eq!(Arc::strong_count(&self.0), 1, "a task is not freed");
    }
}

fn spawn<T: Send + 'static>(
    future: impl Future<Output = T> + Send + 'static,
) -> (Queue, Task, JoinHandle<T>) {
    let queue = Queue::new();
    let (task, handle) = task::spawn(future, Arc::clone(&queue.0));
    (queue, task, handle)
}

#[test]
fn a_handle_is_woken_or_sees_that_the_task_is_finished() {
    loom::model(|| {
        let (queue, task, handle) = spawn(ready(7));
        let running = thread::spawn(move || task.run());
        // A lost wake-up is a deadlock here, and loom reports it.
        assert_eq!(block_on(handle).unwrap(), 7);
        running.join().unwrap();
        queue.assert_freed();
    });
}

/// The waker of the first poll is replaced by another as the task finishes.
#[test]
fn a_handle_that_moves_as_the_task_finishes_is_woken_there() {
    loom::model(|| {
        let (queue, task, mut handle) = spawn(ready(7));
        let first = Pin::new(&mut handle).poll(&mut Context::from_waker(Waker::noop()));
        assert!(first.is_pending());
        let running = thread::spawn(move || task.run());
        assert_eq!(block_on(handle).unwrap(), 7);
        running.join().unwrap();
        queue.assert_freed();
    });
}

#[test]
fn a_handle_dropped_as_the_task_finishes_drops_the_output_once() {
    loom::model(|| {
        let drops = Arc::new(AtomicUsize::new(0));
        let (queue, task, mut handle) = spawn(ready(Dropped(drops.clone())));
        let first = Pin::new(&mut handle).poll(&mut Context::from_waker(Waker::noop()));
        assert!(first.is_pending());
        // The output is dropped although the task is kept, as by a waker.
        let kept = task.clone();
        let running = thread::spawn(move || task.run());
        drop(handle);
        running.join().unwrap();
        assert_eq!(drops.load(SeqCst), 1);
        drop(kept);
        assert_eq!(drops.load(SeqCst), 1);
        queue.assert_freed();
    });
}

/// A task that is ready once so much has been done, and its waker.
fn counts_to(goal: usize) -> (Queue, Waker, LoomArc<LoomUsize>, JoinHandle<usize>) {
    // Relaxed: the state must make it visible.
    let done = LoomArc::new(LoomUsize::new(0));
    let waker = Arc::new(Mutex::new(None));
    let (its_done, its_waker) = (done.clone(), waker.clone());
    let (queue, task, handle) = spawn(poll_fn(move |cx| {
        its_waker
            .lock()
            .unwrap()
            .get_or_insert_with(|| cx.waker().clone());
        match its_done.load(Relaxed) {
            seen if seen == goal => Poll::Ready(seen),
            _ => Poll::Pending,
        }
    }));
    task.run();
    let waker = waker.lock().unwrap().take().unwrap();
    (queue, waker, done, handle)
}

/// Two threads wake a task while another runs it: none of the wakes is lost, and no two polls come at once.
#[test]
fn two_wakes_beside_a_run() {
    interrupted(3, || {
        let (queue, waker, done, handle) = counts_to(2);
        let waking = [(); 2].map(|()| {
            let (queue, waker, done) = (queue.clone(), waker.clone(), done.clone());
            move || {
                done.fetch_add(1, Relaxed);
                waker.wake();
                queue.run_all();
            }
        });
        drop(waker);
        let [first, second] = waking;
        let other = thread::spawn(first);
        second();
        other.join().unwrap();
        assert!(handle.is_finished(), "a wake is lost");
        drop(handle);
        queue.assert_freed();
    });
}

#[test]
fn a_task_aborted_as_it_is_run_is_dropped_once() {
    loom::model(|| {
        let drops = Arc::new(AtomicUsize::new(0));
        let kept = Dropped(drops.clone());
        let (queue, task, handle) = spawn(async move {
            pending::<()>().await;
            drop(kept);
        });
        let running = {
            let queue = queue.clone();
            thread::spawn(move || {
                task.run();
                queue.run_all();
            })
        };
        handle.abort();
        running.join().unwrap();
        queue.run_all();
        assert_eq!(drops.load(SeqCst), 1);
        assert!(block_on(handle).unwrap_err().is_cancelled());
        queue.assert_freed();
    });
}

#[test]
fn a_shutdown_beside_a_run_drops_the_future_once() {
    loom::model(|| {
        let drops = Arc::new(AtomicUsize::new(0));
        let kept = Dropped(drops.clone());
        let (queue, task, handle) = spawn(async move {
            pending::<()>().await;
            drop(kept);
        });
        let listed = task.clone();
        let running = thread::spawn(move || task.run());
        listed.shut_down();
        running.join().unwrap();
        assert_eq!(drops.load(SeqCst), 1);
        assert!(block_on(handle).unwrap_err().is_cancelled());
        queue.assert_freed();
    });
}

/// A sleeper has put a second reference into its own queue.
#[test]
fn a_task_that_is_in_two_queues_is_polled_once() {
    loom::model(|| {
        let polls = Arc::new(AtomicUsize::new(0));
        let its_polls = polls.clone();
        let (queue, task, handle) = spawn(poll_fn(move |_| {
            its_polls.fetch_add(1, SeqCst);
            Poll::<()>::Pending
        }));
        let rescued = task.clone();
        let running = thread::spawn(move || rescued.run());
        task.run();
        running.join().unwrap();
        assert_eq!(polls.load(SeqCst), 1);
        handle.abort();
        queue.run_all();
        drop(handle);
        queue.assert_freed();
    });
}

/// The thread that drops the last reference frees the task, after all that was done with the others.
#[test]
fn three_references_dropped_on_three_threads_free_the_task_once() {
    interrupted(3, || {
        let drops = Arc::new(AtomicUsize::new(0));
        let (queue, task, handle) = spawn(ready(Dropped(drops.clone())));
        let cloned = task.clone();
        let threads = [
            thread::spawn(move || task.run()),
            thread::spawn(move || drop(cloned.clone())),
        ];
        drop(handle);
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(drops.load(SeqCst), 1);
        queue.assert_freed();
    });
}

/// A worker fills its slot twice and empties it, while another one takes what it finds there.
#[test]
fn what_is_in_a_slot_goes_to_one_of_two_threads() {
    interrupted(3, || {
        let polls = Arc::new(AtomicUsize::new(0));
        let slot = LoomArc::new(Slot::default());
        let queue = Queue::new();
        let new = || {
            let polls = polls.clone();
            let future = async move { polls.fetch_add(1, SeqCst) };
            task::spawn(future, Arc::clone(&queue.0))
        };
        let takes = slot.clone();
        let other = thread::spawn(move || [(); 2].map(|()| takes.take().map(Task::run)));
        // Made after that thread began and put into no queue, and each after the one before was put into the slot, so that
        // nothing but the slot shows it the task.
        let first = new();
        slot.put(first.0).map(Task::run);
        assert!(queue.pop().is_none()); // loom counts its own steps, and the next task has to come after one
        let second = new();
        slot.put(second.0).map(Task::run);
        slot.take().map(Task::run);
        other.join().unwrap();
        assert!(slot.is_empty());
        assert_eq!(polls.load(SeqCst), 2);
        drop((first.1, second.1));
        queue.assert_freed();
    });
}
