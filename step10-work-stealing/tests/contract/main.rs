//! Which clauses of the contract the versions keep, and which they do not keep.
//!
//! `cargo run -p matrix -- --clause spawned_and_waited_for` prints what that clause demands, and why.

mod adapter;

use std::process::ExitCode;

use contract::{
    Subject,
    suite::{self, Promise},
};
use step10_work_stealing::Version;

contract::count_allocations!();

/// The version that a runtime has by itself, with more workers than this machine may have cores.
const FOUR_WORKERS: Subject =
    Subject::runtime("step10-four-workers", &adapter::Stage(Version::LifoSlot, 4));

/// Nobody takes the place of the only worker, so it must not be lost.
const ONE_WORKER: [Subject; 3] = [
    Subject::runtime("step10-one-worker", &adapter::Stage(Version::LifoSlot, 1)),
    Subject::leaf("step10-sleep-one-worker", &adapter::Sleep(1)),
    Subject::leaf("step10-read-one-worker", &adapter::Read(1)),
];

const NO_STEALING: &str = "What a worker wakes or spawns goes into its own queue, from which no other worker takes. So the task waits there while its worker is in a poll, although another worker sleeps. The next version fixes that.";

fn main() -> ExitCode {
    let subjects = adapter::SUBJECTS
        .iter()
        .chain([&FOUR_WORKERS])
        .chain(&ONE_WORKER);
    let promises: Vec<_> = subjects
        .map(|subject| {
            match subject.name {
                "step10-local" => {
                    Promise::all(*subject).not_yet(NO_STEALING, &["spawned_and_waited_for"])
                }
                "step10" | "step10-sleep" | "step10-read" => Promise::all(*subject),
                // They keep the same clauses as `step10`.
                _ => Promise::all(*subject).not_in_the_matrix(),
            }
        })
        .collect();
    suite::main(&promises)
}
