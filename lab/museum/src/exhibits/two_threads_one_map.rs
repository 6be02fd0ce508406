//! Two threads in the loop of stage 07, which takes a future out of the map while it polls it.
//!
//! By chance: with 100 tasks that yield 100 times each, 187 of 200 runs lost some, mostly 1 or 2. Here it is certain,
//! because the first task wakes itself, and then stays in its poll until the other thread has nothing left to do.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Wake, Waker},
};

use crate::{
    Exhibit, Fails,
    props::{
        BoxFuture,
        queue::{Queue, with_workers, woken_while_it_runs},
        yields,
    },
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "two-threads-one-map",
    title: "two threads run a loop that was made for one, and a task is lost",
    was_in: "no published code that we know of: it is the loop of chapter 07, run by two threads",
    breaks: "A wake made inside poll leads to another poll.",
    chapter: 8,
    fails: Fails::Prints("the queue is empty and both threads sleep; tasks done: 99 of 100"),
    why: "one thread polls the task, so its future is out of the map. The task is woken, and the other thread \
          takes it from the queue, finds no future, and concludes that it has finished. Then the first thread puts \
          the future back, but the wake is used up. In the fixed version, a task that is being polled is marked \
          so, and its wakes send nothing. After the poll, the thread that polled the task sends it again.",
    passes: "the queue is empty and both threads sleep; tasks done: 100 of 100",
    broken: || show(run_broken),
    repaired: || show(run_repaired),
};

/// In the queue, or to be sent there by the thread that polls the task.
const QUEUED: usize = 0b01;
/// Being polled. Only the fixed version sets it.
const RUNNING: usize = 0b10;

struct Runtime {
    queue: Arc<Queue<Arc<Task>>>,
    futures: Mutex<HashMap<usize, BoxFuture>>,
}

struct Task {
    id: usize,
    state: AtomicUsize,
    queue: Arc<Queue<Arc<Task>>>,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        if self.state.fetch_or(QUEUED, SeqCst) == 0 {
            self.queue.push(Arc::clone(&self)).unwrap();
        }
    }
}

// ANCHOR: broken
/// Called by each of the two threads.
fn run_broken(runtime: &Runtime) {
    while let Some(task) = runtime.queue.pop() {
        // Not QUEUED any more: from now on, a wake sends the task to the queue again.
        task.state.swap(0, SeqCst);
        let taken = runtime.futures.lock().unwrap().remove(&task.id);
        // If it is not there, the task was woken after it had finished.
        if let Some(mut future) = taken {
            let waker = Waker::from(Arc::clone(&task));
            let poll = future.as_mut().poll(&mut Context::from_waker(&waker));
            if poll.is_pending() {
                runtime.futures.lock().unwrap().insert(task.id, future);
            }
        }
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
/// Called by each of the two threads.
fn run_repaired(runtime: &Runtime) {
    while let Some(task) = runtime.queue.pop() {
        // From now on, a wake sets QUEUED and sends nothing, because the state is not 0.
        task.state.store(RUNNING, SeqCst);
        let taken = runtime.futures.lock().unwrap().remove(&task.id);
        let mut future = taken.expect("a finished task stays RUNNING, and is never sent again");
        let waker = Waker::from(Arc::clone(&task));
        let poll = future.as_mut().poll(&mut Context::from_waker(&waker));
        if poll.is_pending() {
            runtime.futures.lock().unwrap().insert(task.id, future);
            // Only now, because the thread that takes the task must find the future.
            if task.state.fetch_and(!RUNNING, SeqCst) == RUNNING | QUEUED {
                runtime.queue.push(task).unwrap();
            }
        }
    }
}
// ANCHOR_END: repaired

fn show(run: fn(&Runtime)) {
    let done = Arc::new(AtomicUsize::new(0));
    let count = |future: BoxFuture| -> BoxFuture {
        let done = Arc::clone(&done);
        Box::pin(async move {
            future.await;
            done.fetch_add(1, SeqCst);
        })
    };
    let queue = Queue::for_workers(2);
    let first: BoxFuture = Box::pin(woken_while_it_runs(&queue));
    let others = (1..100).map(|_| Box::pin(yields(1)) as BoxFuture);
    let futures = [first].into_iter().chain(others).map(count);
    let runtime = Runtime {
        queue: Arc::clone(&queue),
        futures: Mutex::new(futures.enumerate().collect()),
    };
    for id in 0..100 {
        let task = Task {
            id,
            state: AtomicUsize::new(0),
            queue: Arc::clone(&queue),
        };
        Arc::new(task).wake();
    }
    with_workers(
        &queue,
        || run(&runtime),
        || {
            queue.until_idle(0);
            let done = done.load(SeqCst);
            println!("the queue is empty and both threads sleep; tasks done: {done} of 100");
        },
    );
}
