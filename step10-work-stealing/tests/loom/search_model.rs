//! Two workers that search, sleep and wake each other, and poll nothing. `src/worker.rs` includes this file, because only that module can
//! make a worker's steps.
//!
//! Two tasks come, and each has to get a worker of its own, whatever the workers are doing at that moment. If both sleep while a task is
//! in the injector, that is a deadlock, and loom reports it.

use std::sync::Arc;

use loom::thread;

use crate::models::{interrupted, runtime};
use crate::task::{self, Task};
use crate::{Version, shared::Shared};

use super::Local;

/// What a worker does until it gets a task, in whose poll it is stuck from then on.
fn work_until_stuck(worker: &Local) {
    loop {
        match worker.next() {
            Some(task) => {
                worker.sleeper.hand_over();
                return task.shut_down();
            }
            None => worker.sleep(),
        }
    }
}

/// Returns what the threads of the two workers do, and two tasks for them.
fn two_workers() -> (Arc<Shared>, Vec<impl FnOnce() + Send>, [Task; 2]) {
    let (handle, deques) = runtime(2, Version::Stealing);
    let shared = handle.0;
    let tasks = [(); 2].map(|()| task::spawn(async {}, Arc::clone(&shared)).0);
    let numbered = deques.into_iter().enumerate();
    let workers = numbered.map(|(number, deque)| {
        let shared = Arc::clone(&shared);
        move || work_until_stuck(&Local::new(shared, number, deque))
    });
    let workers = workers.collect();
    (shared, workers, tasks)
}

// No worker sleeps in the driver here, because this thread has it. With the driver there would be more orders, and no other promise.
fn each_task_gets_a_worker(before_the_pushes: impl FnOnce(&Shared)) {
    let (shared, workers, tasks) = two_workers();
    let driving = shared.driving.lock().unwrap();
    let workers: Vec<_> = workers.into_iter().map(thread::spawn).collect();
    before_the_pushes(&shared);
    for task in tasks {
        shared.inject(task);
    }
    for worker in workers {
        worker.join().unwrap();
    }
    drop(driving);
}

#[test]
fn two_workers_that_may_be_awake_get_a_task_each() {
    interrupted(1, || each_task_gets_a_worker(|_| {}));
}

/// The first push wakes one of them, and while that one searches, the second push wakes none.
#[test]
fn two_workers_that_sleep_get_a_task_each() {
    interrupted(0, || {
        each_task_gets_a_worker(|shared| {
            while shared.idle.counts().sleeping < 2 {
                thread::yield_now();
            }
        });
    });
}
