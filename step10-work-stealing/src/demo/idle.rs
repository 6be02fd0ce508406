//! Who sleeps when there is nothing to do, and how many workers one task wakes.

use std::{iter::zip, thread, time::Duration};

use futures::{executor::block_on, future::join_all};
use step10_work_stealing::{Runtime, WorkerMetrics};

use super::staged::{block_until, join};

const WORKERS: usize = 4;

/// Much longer than the sleep of a worker that checks whether another one is stuck.
const WHILE: Duration = Duration::from_millis(50);

pub fn show() {
    println!("6. {WORKERS} workers, some time after the last of 100 tasks");
    let runtime = Runtime::new(WORKERS);
    let tasks = (0..100).map(|_| runtime.spawn(async {}));
    block_on(join_all(tasks));
    let before = sleep_until_quiet(&runtime);
    println!("   workers that sleep: {WORKERS}");
    thread::sleep(WHILE);
    let after = runtime.metrics();
    let woken = workers(&before, &after, |worker| worker.sleeps);
    println!("   workers that wake up in the next {WHILE:?}: {woken}");

    join(runtime.spawn(async {}));
    let before = after;
    let after = sleep_until_quiet(&runtime);
    let woken = workers(&before, &after, |worker| worker.sleeps);
    let polled = workers(&before, &after, |worker| worker.polls);
    println!(
        "   one more task, from outside: workers that poll: {polled}, workers that wake up: {woken} (one checks on the other)"
    );
}

/// Waits until all workers sleep, and none of them wakes up to check. Then only an event wakes one.
fn sleep_until_quiet(runtime: &Runtime) -> Vec<WorkerMetrics> {
    let all_sleep = format!("0 searching, {WORKERS} sleeping, 0 checking)");
    block_until(|| format!("{:?}", runtime.handle()).ends_with(&all_sleep));
    thread::sleep(WHILE); // a worker says that it sleeps before it counts this sleep
    runtime.metrics()
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
