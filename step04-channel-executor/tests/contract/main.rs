//! Which clauses of the contract the executors keep, and which they do not keep yet.
//!
//! `cargo run -p matrix -- --clause sleeps` says what a clause demands, and why.

mod adapter;
mod local;

use std::process::ExitCode;

use contract::suite::{self, Promise};

contract::count_allocations!();

const WAITS: &str = "It owns its tasks, and `run` returns when all of them are done, so it waits forever for a task that can no longer be woken.";
const NEVER_SLEEPS: &str = "Its waker does nothing, and it polls every pending task again and again. No task is ever late, but the executor never sleeps. The next version fixes that.";

const KEPT: &str = "A waker of a finished task still holds a sender, and `run` returns when there is none. The next version fixes that.";
const WHO_DROPS: &str = "The last waker of a pending task drops the future on the thread on which it is dropped itself. The next version fixes that.";

fn main() -> ExitCode {
    let [looks, sends, woken, cleans_up] = adapter::SUBJECTS;
    suite::main(&[
        Promise::all(looks).not_yet(WAITS, &["dropped_by_its_executor"]),
        Promise::all(sends)
            .not_yet(
                NEVER_SLEEPS,
                &[
                    "a_million_wakes",
                    "old_wakers",
                    "only_when_woken",
                    "only_who_is_woken",
                    "sleeps",
                ],
            )
            .not_yet(WAITS, &["dropped_by_its_executor"]),
        Promise::all(woken)
            .not_yet(KEPT, &["waker_outlives", "wake_after_the_end"])
            .not_yet(
                WHO_DROPS,
                &["dropped_by_its_executor", "last_waker_under_a_lock"],
            ),
        Promise::all(cleans_up),
        Promise::all(local::LOCAL).not_in_the_matrix(),
    ])
}
