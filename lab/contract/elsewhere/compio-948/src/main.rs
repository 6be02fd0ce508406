//! Four threads wake a task, and it does not see the last wake. In compio-executor 0.1.1 a task can be marked as scheduled without
//! being in a queue, and then it ignores every later wake from another thread.

use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    task::{Poll, Wake, Waker},
    thread,
};

use compio_executor::{Executor, ExecutorConfig};

/// Wakes the driver, which is a system call.
struct Driver;

impl Wake for Driver {
    fn wake(self: Arc<Self>) {
        thread::yield_now();
    }
}

/// Whether the task has missed what was done before the last wake.
fn loses_a_wake() -> bool {
    let waker = Some(Arc::new(Driver).into());
    let executor = Executor::with_config(ExecutorConfig {
        waker,
        ..Default::default()
    });
    let (done, seen) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (its_done, its_seen) = (done.clone(), seen.clone());
    let (give, given) = mpsc::channel();
    let task = executor.spawn(poll_fn(move |cx| {
        its_seen.store(its_done.load(SeqCst), SeqCst);
        let _ = give.send(cx.waker().clone());
        Poll::<()>::Pending
    }));
    executor.tick();
    let waker = given.recv().unwrap();
    let wakes = |waker: Waker, done: Arc<AtomicUsize>| {
        thread::spawn(move || {
            for _ in 0..10_000 {
                done.fetch_add(1, SeqCst);
                waker.wake_by_ref();
            }
        })
    };
    let threads = [(); 4].map(|()| wakes(waker.clone(), done.clone()));
    while threads.iter().any(|thread| !thread.is_finished()) {
        executor.tick();
    }
    for _ in 0..100 {
        executor.tick();
    }
    drop(task);
    seen.load(SeqCst) < done.load(SeqCst)
}

fn main() {
    match (1..=100).find(|_| loses_a_wake()) {
        Some(round) => println!("the last wake was lost in round {round}"),
        None => println!("no wake was lost in 100 rounds"),
    }
}
