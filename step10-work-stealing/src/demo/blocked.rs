//! A task spawns another one, and blocks its worker until that has run.

use std::{
    sync::mpsc,
    thread::{self, ThreadId},
};

use step10_work_stealing::{Handle, Runtime, Version, spawn};

use super::staged::{block_until, join, sum};

/// Where the other worker may not help, the task gives up after that worker has slept and checked five times.
const CHECKS: u64 = 5;

/// Shows it in the versions that have a queue for each worker.
pub fn show() {
    println!(
        "5. Two workers. A task spawns a second task, and blocks its worker until that has run. Does it run?"
    );
    version(Version::LocalQueues);
    version(Version::Stealing);
    version(Version::LifoSlot);
}

fn version(version: Version) {
    let runtime = Runtime::with_version(2, version);
    let handle = runtime.handle();
    let (blocked, ran) = join(runtime.spawn(async move { spawn_and_wait(&handle) }));
    let steals = sum(&runtime.handle(), |worker| worker.steals);
    let what = match ran {
        None => {
            "no (the task gives up). No other worker may take it from the blocked worker's queue"
        }
        Some(worker) if worker == blocked => "yes, on the blocked worker",
        Some(_) if steals > 0 => "yes. The other worker steals it from the blocked worker's queue",
        Some(_) => {
            "yes. Thieves can't take from the slot, but the other worker empties it after 20 ms"
        }
    };
    println!("   {:<12} {what}", format!("{version:?}:"));
}

/// Returns the thread that waits, and the one that has run the second task meanwhile.
fn spawn_and_wait(handle: &Handle) -> (ThreadId, Option<ThreadId>) {
    let (send, sent) = mpsc::channel();
    // This worker does not sleep now, so these are the other one's sleeps.
    let sleeps = || sum(handle, |worker| worker.sleeps);
    let before = sleeps();
    drop(spawn(async move { send.send(thread::current().id()) }));
    let mut ran = None;
    block_until(|| {
        ran = sent.try_recv().ok();
        ran.is_some() || sleeps() > before + CHECKS
    });
    (thread::current().id(), ran)
}
