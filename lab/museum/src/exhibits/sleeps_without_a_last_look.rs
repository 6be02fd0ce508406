//! A worker that finds its queues empty, puts itself on the list of sleepers, and does not look again.
//!
//! A task that is pushed between the two steps finds no sleeper to wake, and the worker has looked already. So the task
//! is in the queue, and every worker sleeps.

use loom::{sync::Arc, thread};
use probe::CountingWaker;
use std::task::Waker;

use crate::{Exhibit, Fails, orders::Mutex, props::in_every_order_says};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "sleeps-without-a-last-look",
    title: "a worker that goes to sleep does not look into the queue again",
    was_in: "tokio-threadpool, as tokio-rs/tokio#621 describes it (for the hangs of #525); here as the smallest pool that \
             does it",
    breaks: "a worker does not sleep while a task is in a queue that it may take from",
    chapter: 10,
    fails: Fails::Loom("the worker sleeps, and a task is in the queue"),
    why: "the worker looked, and the queue was empty. Then the task was pushed, and the pusher found the list of \
          sleepers empty, so it woke nobody. Then the worker put itself on the list and slept. The fixed version \
          looks once more after it is on the list. Of the push and the announcement, the later one then sees the \
          earlier one.",
    passes: "the task is found or the worker is woken in each of 18 orders",
    broken: || show(find_or_sleep_broken),
    repaired: || show(find_or_sleep_repaired),
};

#[derive(Default)]
struct Pool {
    /// How many tasks are in the queue.
    queue: Mutex<usize>,
    sleepers: Mutex<Vec<Waker>>,
}

// ANCHOR: push
impl Pool {
    fn push(&self) {
        *self.queue.lock().unwrap() += 1;
        let sleeper = self.sleepers.lock().unwrap().pop();
        if let Some(sleeper) = sleeper {
            sleeper.wake();
        }
    }

    /// Whether there was a task.
    fn pop(&self) -> bool {
        let mut queue = self.queue.lock().unwrap();
        let is_there = *queue > 0;
        *queue -= usize::from(is_there);
        is_there
    }
}
// ANCHOR_END: push

// ANCHOR: broken
/// Returns whether the worker has found a task. If not, it sleeps until `worker` is woken.
fn find_or_sleep_broken(pool: &Pool, worker: Waker) -> bool {
    if pool.pop() {
        return true;
    }
    pool.sleepers.lock().unwrap().push(worker);
    false // The worker sleeps.
}
// ANCHOR_END: broken

// ANCHOR: repaired
/// Returns whether the worker has found a task. If not, it sleeps until `worker` is woken.
fn find_or_sleep_repaired(pool: &Pool, worker: Waker) -> bool {
    if pool.pop() {
        return true;
    }
    pool.sleepers.lock().unwrap().push(worker);
    // The last look: a task may have come since the first, and its push may have found no sleeper.
    pool.pop()
}
// ANCHOR_END: repaired

fn show(find_or_sleep: fn(&Pool, Waker) -> bool) {
    in_every_order_says("the task is found or the worker is woken", move || {
        let unparks = CountingWaker::new();
        let pool = Arc::new(Pool::default());
        let other = Arc::clone(&pool);
        let pusher = thread::spawn(move || other.push());
        let has_found = find_or_sleep(&pool, unparks.waker());
        pusher.join().unwrap();
        if has_found || unparks.wakes() > 0 {
            Ok(())
        } else {
            Err("the worker sleeps, and a task is in the queue".to_owned())
        }
    });
}
