//! Which clauses of the contract the two runtimes and the four delays keep, and which they do not keep yet.
//!
//! `cargo run -p matrix -- --clause sleeps` prints what the clause `sleeps` demands, and why.

mod adapter;

use std::process::ExitCode;

use contract::suite::{self, Promise};

contract::count_allocations!();

/// It returns no results, runs until every task is finished, and uses one thread.
const NOT_ITS_JOB: &[&str] = &[
    "dropped_at_shutdown",
    "output_is_kept",
    "output_reaches",
    "panic_reaches",
    "spawned_and_waited_for",
    "two_at_once",
];

/// The runtime owns its tasks, so it keeps a task whose last waker has been dropped, and waits for it.
const WAITS: &str = "dropped_by_its_executor";

/// Besides, the first version has no handle, so it cannot spawn while it runs.
const NOT_THE_QUEUES_JOB: &[&str] = &[
    "dropped_at_shutdown",
    "output_is_kept",
    "output_reaches",
    "panic_reaches",
    "spawned_and_waited_for",
    "acts_after_a_panic",
    "acts_at_shutdown",
    "acts_in_a_poll",
    "acts_when_dropped",
    "spawned_after_the_end",
    "spawned_from_outside",
    "spawned_inside",
    "spawned_under_load",
    "two_at_once",
];

/// They wait until an `Instant`, and there is none as late as `huge` demands. They do not share a driver either.
const NOT_A_DELAYS_JOB: &[&str] = &["driver_gone", "huge"];

fn main() -> ExitCode {
    let [queue, channel, busy, thread_per_poll, latest_waker, notify] = adapter::SUBJECTS;
    let delay = |subject| Promise::all(subject).not_its_job(NOT_A_DELAYS_JOB);
    suite::main(&[
        Promise::all(queue)
            .not_its_job(NOT_THE_QUEUES_JOB)
            .not_yet(&[
                "a_million_wakes",
                "only_when_woken",
                "only_who_is_woken",
                "sleeps",
                WAITS,
            ]),
        Promise::all(channel)
            .not_its_job(NOT_ITS_JOB)
            .not_yet(&[WAITS]),
        delay(busy).not_yet(&["no_wake_without_news"]),
        delay(thread_per_poll).not_yet(&[
            "no_allocation_per_poll",
            "no_thread_per_poll",
            "one_waker_is_kept",
        ]),
        delay(latest_waker),
        delay(notify),
    ])
}
