//! Who sleeps when there is nothing to do, and how many workers one task wakes.

use std::{iter::zip, thread, time::Duration};

use step10_work_stealing::{IdleWorkers, Runtime, WorkerMetrics};

use super::staged::{block_until, join};

const WORKERS: usize = 4;

/// More than twice the sleep of a worker that checks whether another one is stuck.
const WHILE: Duration = Duration::from_millis(50);

pub fn show() {
    println!("6. {WORKERS} workers have nothing to do, and all sleep. How many wake up?");
    let runtime = Runtime::new(WORKERS);
    let before = sleep_until_quiet(&runtime);
    thread::sleep(WHILE);
    let after = runtime.metrics();
    let woken = workers(&before, &after, |worker| worker.sleeps);
    println!("   without a task, in 50 ms:  {woken}");

    join(runtime.spawn(async {}));
    let before = after;
    let after = sleep_until_quiet(&runtime);
    let woken = workers(&before, &after, |worker| worker.sleeps);
    let polled = workers(&before, &after, |worker| worker.polls);
    println!(
        "   for one task from outside: {woken} ({polled} polls it, and the other one checks whether the first is stuck)"
    );
}

/// Waits until all workers sleep, and none of them wakes up to check. Then only an event wakes one.
fn sleep_until_quiet(runtime: &Runtime) -> Vec<WorkerMetrics> {
    let all_sleep = IdleWorkers {
        searching: 0,
        sleeping: WORKERS,
        checking: 0,
    };
    block_until(|| runtime.handle().idle_workers() == all_sleep);
    runtime.metrics() // each worker has counted its sleeps before it announced this one
}

/// How many workers have a higher count than before.
fn workers(
    before: &[WorkerMetrics],
    after: &[WorkerMetrics],
    count: impl Fn(&WorkerMetrics) -> u64,
) -> usize {
    zip(before, after)
        .filter(|(before, after)| count(after) > count(before))
        .count()
}
