//! The state's methods from two threads, and the memory that they order.

use loom::{
    cell::UnsafeCell,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    thread,
};
use step08_join_handle::v2_state_bits::state::{Idle, State};

/// A state, and what it protects. Of the cell, loom checks that no two threads use it at once.
struct Task {
    state: State,
    future: UnsafeCell<()>,
    result: UnsafeCell<()>,
    /// Not ordered by anything but the state.
    data: AtomicBool,
    entries: AtomicUsize,
    drops: AtomicUsize,
}

impl Task {
    fn new() -> Arc<Task> {
        Arc::new(Task {
            state: State::spawned(),
            future: UnsafeCell::new(()),
            result: UnsafeCell::new(()),
            data: AtomicBool::new(false),
            entries: AtomicUsize::new(0),
            drops: AtomicUsize::new(0),
        })
    }

    fn schedule(&self) {
        self.entries.fetch_add(1, Relaxed);
    }

    /// A poll, which is pending. Returns whether it saw the data.
    fn poll(&self) -> bool {
        self.future.with_mut(|_| ());
        self.data.load(Relaxed)
    }

    fn finish(&self) {
        self.future.with_mut(|_| ());
        self.drops.fetch_add(1, Relaxed);
        self.result.with_mut(|_| ());
        let _ = self.state.finish();
    }

    /// What a worker does that has taken the task from the queue. Returns whether a poll saw the data.
    fn run(&self) -> bool {
        if !self.state.start() {
            self.finish();
            return false;
        }
        let seen = self.poll();
        match self.state.idle() {
            Idle::Nothing => {}
            Idle::Schedule => self.schedule(),
            Idle::Cancel => self.finish(),
        }
        seen
    }

    fn wake(&self) {
        self.data.store(true, Relaxed);
        if self.state.wake() {
            self.schedule();
        }
    }
}

#[test]
fn the_poll_after_a_wake_sees_what_was_done_before_the_wake() {
    loom::model(|| {
        let task = Task::new();
        let waking = {
            let task = task.clone();
            thread::spawn(move || task.wake())
        };
        let seen = task.run();
        waking.join().unwrap();
        let entries = task.entries.load(Relaxed);
        assert!(entries <= 1, "it is in the queue twice");
        assert!(seen || entries == 1, "the wake is lost");
        assert!(seen || task.run(), "the poll does not see the data");
    });
}

#[test]
fn two_wakes_at_once_make_one_entry() {
    loom::model(|| {
        let task = Task::new();
        assert!(!task.run());
        let waking = {
            let task = task.clone();
            thread::spawn(move || task.wake())
        };
        task.wake();
        waking.join().unwrap();
        assert_eq!(task.entries.load(Relaxed), 1);
        assert!(task.run());
    });
}

#[test]
fn woken_during_its_poll_it_is_not_started_by_a_second_worker() {
    loom::model(|| {
        let task = Task::new();
        let waking = {
            let task = task.clone();
            // If the wake says so, this thread puts it into the queue, and a worker takes it at once.
            thread::spawn(move || {
                if task.state.wake() {
                    let _ = task.run();
                }
            })
        };
        let _ = task.run();
        waking.join().unwrap();
    });
}

#[test]
fn an_abort_beside_a_run_drops_the_future_once() {
    loom::model(|| {
        let task = Task::new();
        let aborting = {
            let task = task.clone();
            thread::spawn(move || {
                if task.state.abort() {
                    task.schedule();
                }
            })
        };
        let _ = task.run();
        aborting.join().unwrap();
        let entries = task.entries.load(Relaxed);
        assert_eq!(entries + task.drops.load(Relaxed), 1);
        if entries == 1 {
            let _ = task.run();
        }
        assert!(task.state.is_finished());
        assert_eq!(task.drops.load(Relaxed), 1);
    });
}

#[test]
fn the_result_belongs_to_the_last_of_the_handle_and_the_worker() {
    loom::model(|| {
        let task = Task::new();
        let dropping = {
            let task = task.clone();
            thread::spawn(move || {
                let told = task.state.detach();
                if told {
                    task.result.with_mut(|_| ());
                }
                told
            })
        };
        assert!(task.state.start());
        task.result.with_mut(|_| ());
        let told = !task.state.finish().handle;
        if told {
            task.result.with_mut(|_| ());
        }
        assert_ne!(dropping.join().unwrap(), told, "dropped by both or by none");
    });
}

#[test]
fn a_handle_that_sees_the_task_finished_sees_the_result() {
    loom::model(|| {
        let task = Task::new();
        // The handle has the thread of its own, because loom tries no order in which the first thread's load is delayed
        // until another thread has written.
        let joining = {
            let task = task.clone();
            thread::spawn(move || {
                let ready = task.state.is_finished() || task.state.wait();
                if ready {
                    task.result.with_mut(|_| ());
                }
                ready
            })
        };
        assert!(task.state.start());
        task.result.with_mut(|_| ());
        let waiting = task.state.finish().waiting;
        let ready = joining.join().unwrap();
        assert!(waiting || ready, "the handle waits forever");
    });
}
