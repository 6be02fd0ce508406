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

fn main() -> ExitCode {
    let [looks, sends, on_arc_wake, on_std_wake] = adapter::SUBJECTS;
    suite::main(&[
        Promise::all(looks).not_yet(WAITS, &["dropped_by_its_executor"]),
        Promise::all(sends)
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
        Promise::all(on_arc_wake),
        Promise::all(on_std_wake),
        Promise::all(local::LOCAL).not_in_the_matrix(),
    ])
}
