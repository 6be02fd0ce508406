//! What a shutdown leaves of a hundred tasks: nothing, and no thread either.

use std::{
    future::pending,
    sync::{
        Arc, Barrier,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use futures::{executor::block_on, future::join_all};
use step08_join_handle::{JoinError, Runtime};

use super::counts::Counts;

/// Shuts a runtime down.
pub fn show() {
    println!("5. A runtime with four workers and 100 unfinished tasks is shut down");
    let counts = Counts::default();
    let runtime = Runtime::new(4);
    let handles: Vec<_> = (0..100)
        .map(|_| runtime.spawn(counts.of(pending())))
        .collect();
    let before = threads_of(&runtime, 4);
    runtime.shutdown();
    let after = THREADS.load(Ordering::Relaxed);
    let errors = handles
        .into_iter()
        .filter_map(|handle| block_on(handle).err());
    let cancelled = errors.filter(JoinError::is_cancelled).count();
    let dropped = counts.dropped();
    println!("   futures dropped: {dropped}, handles that say cancelled: {cancelled}");
    println!("   worker threads before: {before}, after: {after}");
}

/// The number of threads that have polled a task of [`threads_of`] and have not ended.
static THREADS: AtomicUsize = AtomicUsize::new(0);

struct Thread;

thread_local! {
    static THREAD: Thread = {
        THREADS.fetch_add(1, Ordering::Relaxed);
        Thread
    };
}

impl Drop for Thread {
    fn drop(&mut self) {
        // Without this, the threads might have ended by luck, although `shutdown` did not wait for them.
        thread::sleep(Duration::from_millis(10));
        THREADS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts the workers of a runtime, of which there must be at least `workers`: so many tasks wait for each other in their
/// polls, and so each needs a worker of its own.
fn threads_of(runtime: &Runtime, workers: usize) -> usize {
    let all = Arc::new(Barrier::new(workers));
    let meet = || {
        let all = Arc::clone(&all);
        async move {
            THREAD.with(|_| all.wait());
        }
    };
    let meetings: Vec<_> = (0..workers).map(|_| runtime.spawn(meet())).collect();
    block_on(join_all(meetings));
    THREADS.load(Ordering::Relaxed)
}
