//! A task that reads from a source that always has something.
//!
//! Each `await` finds its future ready, so none of them returns to the worker. All its awaits together are one poll, and
//! no other task gets a turn before it ends.

use std::{
    cell::Cell,
    collections::VecDeque,
    future::poll_fn,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use crate::{Exhibit, Fails, props::Task};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "always-ready",
    title: "a task whose input never runs dry keeps its neighbour from being polled",
    was_in: "tokio before 0.2.14, with a socket whose peer is fast (#2160); `tokio::io::empty` before 1.15.0 (#4291); here \
             as the smallest source",
    breaks: "a task that awaits in a loop lets other tasks be polled between, even if all is ready",
    chapter: 10,
    fails: Fails::Prints("before its neighbour's first poll, the reader read 100,000 times"),
    why: "an await returns to the worker only if the future is Pending, and this one is ready at each poll. In the \
          fixed version, each poll of a task begins with a budget of 128 reads. A read that finds it used up wakes \
          the task and returns Pending, although there is something to read. So the task goes to the back of the \
          queue.",
    passes: "before its neighbour's first poll, the reader read 128 times",
    broken: || show(poll_read_broken),
    repaired: || show(poll_read_repaired),
};

thread_local! {
    /// How many reads the task that is being polled may make. Only the fixed version's source asks.
    static BUDGET: Cell<u32> = const { Cell::new(0) };
}

// ANCHOR: broken
fn poll_read_broken(_cx: &mut Context<'_>) -> Poll<u8> {
    Poll::Ready(b'.')
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn poll_read_repaired(cx: &mut Context<'_>) -> Poll<u8> {
    let left = BUDGET.get();
    if left == 0 {
        cx.waker().wake_by_ref();
        return Poll::Pending;
    }
    BUDGET.set(left - 1);
    Poll::Ready(b'.')
}
// ANCHOR_END: repaired

type Queue = Mutex<VecDeque<Arc<Task>>>;

fn show(poll_read: fn(&mut Context<'_>) -> Poll<u8>) {
    let queue = Arc::new(Queue::default());
    let reads = Arc::new(AtomicUsize::new(0));

    let (counts, wakes) = (Arc::clone(&reads), Arc::downgrade(&queue));
    let reader = async move {
        for _ in 0..100_000 {
            poll_fn(poll_read).await;
            counts.fetch_add(1, Ordering::Relaxed);
        }
    };
    let reader = Task::new(reader, move |task| {
        let queue = wakes.upgrade().expect("it runs");
        queue.lock().unwrap().push_back(task);
    });
    let neighbour = async move {
        let reads = match reads.load(Ordering::Relaxed) {
            100_000 => "100,000".to_owned(),
            reads => reads.to_string(),
        };
        println!("before its neighbour's first poll, the reader read {reads} times");
    };
    let neighbour = Task::new(neighbour, |_| {});
    queue.lock().unwrap().extend([reader, neighbour]);

    loop {
        let next = queue.lock().unwrap().pop_front();
        let Some(task) = next else { return };
        BUDGET.set(128);
        task.poll();
    }
}
