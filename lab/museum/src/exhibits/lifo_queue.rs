//! A run queue that is a `Vec`, so the task that was pushed last is popped first.
//!
//! A task that wakes itself in its poll is on top again. The tasks below it wait for as long as it goes on.

use std::{
    collections::VecDeque,
    future::poll_fn,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::{
    Exhibit, Fails,
    props::{Task, yields},
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "lifo-queue",
    title: "the task that was woken last is polled first",
    was_in: "Packt, Asynchronous Programming in Rust, ch. 8, `pop_ready` in b-reactor-executor",
    breaks: "Tasks that yield forever do not keep another task from being polled.",
    chapter: 4,
    fails: Fails::Prints("before its neighbour's first poll, one task was polled 1,001 times"),
    why: "a task that yields wants the other tasks to be polled first. On a stack, it is the next one itself. The \
          fixed version takes tasks from the front and adds them at the back, so each has its turn.",
    passes: "before its neighbour's first poll, one task was polled once",
    broken: || show::<Stack>(),
    repaired: || show::<Line>(),
};

trait Queue: Default + Send + Sync + 'static {
    fn push(&self, task: Arc<Task>);
    fn pop(&self) -> Option<Arc<Task>>;
}

// ANCHOR: broken
#[derive(Default)]
struct Stack(Mutex<Vec<Arc<Task>>>);

impl Queue for Stack {
    fn push(&self, task: Arc<Task>) {
        self.0.lock().unwrap().push(task);
    }

    fn pop(&self) -> Option<Arc<Task>> {
        self.0.lock().unwrap().pop()
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
#[derive(Default)]
struct Line(Mutex<VecDeque<Arc<Task>>>);

impl Queue for Line {
    fn push(&self, task: Arc<Task>) {
        self.0.lock().unwrap().push_back(task);
    }

    fn pop(&self) -> Option<Arc<Task>> {
        self.0.lock().unwrap().pop_front()
    }
}
// ANCHOR_END: repaired

/// The first task makes the neighbour in its first poll, and wakes itself 1,000 times.
fn show<Q: Queue>() {
    let queue = Arc::new(Q::default());
    let polls = Arc::new(AtomicUsize::new(0));
    let (spawns, wakes) = (Arc::clone(&queue), Arc::clone(&queue));
    let mut yields = Box::pin(yields(1_000));
    let first = poll_fn(move |cx| {
        if polls.fetch_add(1, Ordering::Relaxed) == 0 {
            spawns.push(Task::new(neighbour(Arc::clone(&polls)), |_| {}));
        }
        yields.as_mut().poll(cx)
    });
    queue.push(Task::new(first, move |task| wakes.push(task)));
    while let Some(task) = queue.pop() {
        task.poll();
    }
}

async fn neighbour(polls: Arc<AtomicUsize>) {
    let times = match polls.load(Ordering::Relaxed) {
        1 => "once".to_owned(),
        1_001 => "1,001 times".to_owned(),
        polls => format!("{polls} times"),
    };
    println!("before its neighbour's first poll, one task was polled {times}");
}
