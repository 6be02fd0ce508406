//! Which clauses of the contract the two runtimes and the four delays keep, and which they do not keep yet.
//!
//! `cargo run -p matrix -- --clause sleeps` prints what the clause `sleeps` demands, and why.

mod adapter;

use std::process::ExitCode;

use contract::suite::{self, Promise};

contract::count_allocations!();

const WAITS: &str = "It owns its tasks, and `run` returns when all of them are done, so it waits forever for a task that can no longer be woken.";
const NEVER_SLEEPS: &str = "Its waker does nothing, and it polls every pending task again and again. No task is ever late, but the executor never sleeps. The next version fixes that.";
const WAKES_ITSELF: &str = "It wakes its task in each poll that comes too early. The promise is kept, but the processor never rests. The next version fixes that.";
const STARTS_THREADS: &str =
    "Each poll starts a thread that has a waker of its own. The next version fixes that.";

fn main() -> ExitCode {
    let [queue, channel, busy, thread_per_poll, latest_waker, notify] = adapter::SUBJECTS;
    suite::main(&[
        Promise::all(queue)
            .not_yet(
                NEVER_SLEEPS,
                &[
                    "a_million_wakes",
                    "only_when_woken",
                    "only_who_is_woken",
                    "sleeps",
                ],
            )
            .not_yet(WAITS, &["dropped_by_its_executor"]),
        Promise::all(channel).not_yet(WAITS, &["dropped_by_its_executor"]),
        Promise::all(busy).not_yet(WAKES_ITSELF, &["no_wake_without_news"]),
        Promise::all(thread_per_poll).not_yet(
            STARTS_THREADS,
            &[
                "no_allocation_per_poll",
                "no_thread_per_poll",
                "one_waker_is_kept",
            ],
        ),
        Promise::all(latest_waker),
        Promise::all(notify),
    ])
}
