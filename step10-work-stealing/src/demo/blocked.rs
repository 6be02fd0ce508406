//! A task spawns another one, and blocks its worker until that has run.

use std::{
    sync::mpsc,
    thread::{self, ThreadId},
};

use step10_work_stealing::{Handle, Runtime, Version, spawn};

use super::staged::{block_until, join, sum};

/// Where the other worker may not help, the task gives up after that worker has checked five times.
const CHECKS: u64 = 5;

/// Shows it in the versions that have a queue for each worker.
pub fn show() {
    println!(
        "5. Two workers. A task spawns a second task and blocks its worker until that has run"
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
        None => format!("the other worker checks {CHECKS} times, but isn't allowed to take it"),
        Some(worker) if worker == blocked => "the same worker runs it".to_owned(),
        Some(_) if steals > 0 => format!("the other worker steals and runs it (steals: {steals})"),
        Some(_) => {
            "the other worker wakes for its check, takes it from the slot and runs it (steals: 0)"
                .to_owned()
        }
    };
    println!("   {:<12} {what}", format!("{version:?}:"));
}

/// Returns the thread that waits, and the one that has run the second task meanwhile.
fn spawn_and_wait(handle: &Handle) -> (ThreadId, Option<ThreadId>) {
    let (send, sent) = mpsc::channel();
    // This worker doesn't sleep now, so it's the other one that is counted.
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
