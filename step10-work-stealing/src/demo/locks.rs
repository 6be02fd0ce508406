//! How often the workers take the one lock that they share.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
    mpsc,
};

use step10_work_stealing::{Runtime, Version, spawn, yield_now};

use super::staged::sum;

const TASKS: usize = 1_000;
const POLLS: usize = 11;

/// Shows it in each version.
pub fn show() {
    println!(
        "1. Two workers. A first task spawns {TASKS} tasks of {POLLS} polls each. How often is the shared queue locked?"
    );
    version(Version::SharedQueue, "one queue for all workers");
    version(Version::LocalQueues, "a queue for each worker");
    version(Version::Stealing, "and an idle worker steals tasks");
    version(Version::LifoSlot, "and what a task wakes runs next");
    println!("   It is locked once for each task put in or taken out. In the last three versions,");
    println!("   only the first task goes there. Stealing and LifoSlot save no more locks:");
    println!("   parts 2, 3 and 5 show what they are for.");
}

fn version(version: Version, what_is_new: &str) {
    let runtime = Runtime::with_version(2, version);
    let (end, ended) = mpsc::channel();
    // This task comes from outside, through the shared queue, and spawns the others inside.
    drop(runtime.spawn(async move {
        let left = Arc::new(AtomicUsize::new(TASKS));
        for _ in 0..TASKS {
            let (left, end) = (Arc::clone(&left), end.clone());
            drop(spawn(async move {
                for _ in 1..POLLS {
                    yield_now().await;
                }
                if left.fetch_sub(1, Ordering::Relaxed) == 1 {
                    end.send(()).expect("`version` waits for it");
                }
            }));
        }
    }));
    ended.recv().expect("the last task sends");
    let handle = runtime.handle();
    let polls = sum(&handle, |worker| worker.polls);
    println!(
        "   {:<12} {what_is_new:<31}  polls: {polls}, locks: {:>5}",
        format!("{version:?}:"),
        handle.injector_locks()
    );
}
