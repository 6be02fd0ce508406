//! A waker that pushes its task into a queue, and then reads the task's memory to see which worker it has to notify.
//!
//! Once the task is in the queue, another worker may take it, poll it to its end and free it. Safe Rust refuses to compile
//! this (E0505), because the task is moved while it is borrowed. A waker that is made by hand has raw pointers.
#![expect(unsafe_code, reason = "a task behind a raw pointer is what this is about")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "touched-after-push",
    title: "a waker reads the memory of a task that it has pushed into a queue",
    was_in: "async-task before 1.1.1 (its #11); async-executor 1.14.0, with the executor's memory (smol-rs/async-executor#163)",
    breaks: "what has been handed to a queue may have been freed: the thread that pushed it does not touch it again",
    chapter: 10,
    fails: Fails::Miri("use-after-free"),
    why: "another worker took the task and finished it while the waker was still in `push`. That gave back the \
          last count, so the task was freed, and with it the reference to the pool that the waker used next. The \
          fixed version takes a count of the pool for itself before it pushes.",
    passes: "tasks run: 1, workers notified: 1",
    broken: || show(wake_broken),
    repaired: || show(wake_repaired),
};

#[derive(Default)]
struct Pool {
    run: AtomicUsize,
    notified: AtomicUsize,
}

struct Task {
    pool: Arc<Pool>,
}

impl Pool {
    /// Has another worker take the task at once. It is faster than the thread that pushes.
    fn push(&self, task: Arc<Task>) {
        let worker = thread::spawn(move || {
            task.pool.run.fetch_add(1, Ordering::Relaxed);
            drop(task); // it is done
        });
        worker.join().expect("no panic here");
    }

    fn notify(&self) {
        self.notified.fetch_add(1, Ordering::Relaxed);
    }
}

// ANCHOR: broken
/// # Safety
///
/// `task` came from `Arc::into_raw`, and the caller gives its count away.
unsafe fn wake_broken(task: *const Task) {
    // SAFETY: broken on purpose: the promise is that the task lives as long as this reference.
    let pool = unsafe { &(*task).pool };
    // SAFETY: the count is the caller's, see above.
    pool.push(unsafe { Arc::from_raw(task) });
    pool.notify();
}
// ANCHOR_END: broken

// ANCHOR: repaired
/// # Safety
///
/// `task` came from `Arc::into_raw`, and the caller gives its count away.
unsafe fn wake_repaired(task: *const Task) {
    // SAFETY: the task is alive until its count is given away.
    let pool = Arc::clone(unsafe { &(*task).pool });
    // SAFETY: the count is the caller's, see above.
    pool.push(unsafe { Arc::from_raw(task) });
    pool.notify();
}
// ANCHOR_END: repaired

fn show(wake: unsafe fn(*const Task)) {
    let pool = Arc::new(Pool::default());
    let task = Arc::new(Task {
        pool: Arc::clone(&pool),
    });
    // SAFETY: the count of `task` is given away.
    unsafe { wake(Arc::into_raw(task)) };
    let (run, notified) = (&pool.run, &pool.notified);
    let (run, notified) = (run.load(Ordering::Relaxed), notified.load(Ordering::Relaxed));
    println!("tasks run: {run}, workers notified: {notified}");
}
