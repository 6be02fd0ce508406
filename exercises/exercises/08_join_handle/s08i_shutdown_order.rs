//! s08i · repair · 15 minutes · chapter 08, "Join handles and worker threads"
//!
//! When a runtime is dropped, each of its futures has to be dropped, and each of its threads has to have ended. Meanwhile
//! other threads spawn and wake tasks, a worker may be in the middle of a poll, and a destructor may spawn as well.
//! Closing the queue ends each worker when its current poll is over. The list has each unfinished task, in the queue or not.
//!
//! The `drop` of this runtime has all the steps that it needs, but one of them has to be split in two, and as it stands,
//! `drop` never returns. Find an order in which it returns and nothing is left, whatever another thread does between two
//! steps. A task that is spawned too late has to be dropped at once. You need not handle a task that drops its own runtime.
//!
//! Run: `cargo test --bin s08i_shutdown_order`, or save this file while `rustlings` runs.
//! Red: the watchdog, because not even the drop of an idle runtime returns, with which each test begins. Which of `drop`'s
//! calls sleeps? After that, a test that says when the future that is left was spawned.

#[path = "../../given/s08i_shutdown_order.rs"]
mod given;

use given::{Counts, Worker};
use std::{
    future::Future,
    mem,
    pin::Pin,
    sync::Arc,
    task::{Context, Wake, Waker},
};
use step08_join_handle::Queue;

/// Runs tasks on two threads.
struct Runtime {
    handle: Handle,
    workers: Vec<Worker>,
}

#[derive(Clone)]
struct Handle(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// The tasks that are to be polled. Once it is closed, `pop` returns `None`, and `push` drops what it is given.
    queue: Queue<Arc<Task>>,
    list: probe::Mutex<List>,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct List {
    /// All tasks whose futures have not been dropped.
    unfinished: Vec<Arc<Task>>,
    /// Whether `spawn` refuses further tasks.
    closed: bool,
}

struct Task {
    /// Locked during a poll. `None` when the future is finished or has been dropped.
    future: probe::Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    shared: Arc<Shared>,
}

impl Runtime {
    fn new() -> Runtime {
        let shared = Arc::new(Shared::default());
        let start = || {
            let worker = Arc::clone(&shared);
            Worker::start(&shared.counts, move || {
                while let Some(task) = worker.queue.pop() {
                    task.run();
                }
            })
        };
        let workers = vec![start(), start()];
        let handle = Handle(Arc::clone(&shared));
        Runtime { handle, workers }
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        let shared = &self.handle.0;
        // TODO: in which order? And which lock is held while a destructor runs that is not our code?
        for worker in self.workers.drain(..) {
            worker.join();
        }
        let mut list = shared.list.lock().unwrap();
        for task in mem::take(&mut list.unfinished) {
            task.drop_future();
        }
        list.closed = true;
        drop(list);
        shared.queue.close();
    }
}

impl Handle {
    /// Spawns a task. If the runtime has been shut down, the future is dropped.
    fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let task = Arc::new(Task {
            future: probe::Mutex::new(Some(Box::pin(future))),
            shared: Arc::clone(&self.0),
        });
        let mut list = self.0.list.lock().unwrap();
        if !list.closed {
            list.unfinished.push(Arc::clone(&task));
            drop(list);
            self.0.queue.push(task);
        }
    }
}

impl Task {
    /// Polls the task once, if it is not finished.
    fn run(self: Arc<Self>) {
        let waker = Waker::from(Arc::clone(&self));
        let mut future = self.future.lock().unwrap();
        let Some(running) = future.as_mut() else {
            return;
        };
        if running
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready()
        {
            let finished = future.take();
            drop(future);
            let mut list = self.shared.list.lock().unwrap();
            list.unfinished.retain(|task| !Arc::ptr_eq(task, &self));
            drop(list);
            drop(finished);
        }
    }

    /// Drops the future. If a worker polls it, this first waits for the end of the poll.
    fn drop_future(&self) {
        let future = self.future.lock().unwrap().take();
        drop(future);
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let shared = Arc::clone(&self.shared);
        shared.queue.push(self);
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s08i_shutdown_order.rs"]
mod tests;
