//! Which clauses of the contract the runtimes of other people keep, which they do not keep, and why.

mod futures;
mod smol;
mod tokio;

use std::process::ExitCode;

use contract::{
    Preset, Subject,
    suite::{self, Promise},
};
use pollster::block_on;

contract::count_allocations!();

const POLLSTER: Subject = Subject::runtime("pollster", &Preset::block_on(block_on));

fn pollster() -> Promise {
    Promise::all(POLLSTER).not_yet(
        "pollster 1.0.1 calls `thread::park` after each pending poll, and its waker is nothing but `Thread::unpark`. Code that parks inside the poll (an inner `block_on`, or a `recv` that has to wait) takes the token of a wake that has already come. Version 0.4 kept a flag of its own.",
        &["nested", "parks_in_poll", "waits_in_poll"],
    )
}

fn main() -> ExitCode {
    let mut promises = Vec::new();
    promises.extend(futures::promises());
    promises.push(pollster());
    promises.extend(smol::promises());
    promises.extend(tokio::promises());
    suite::main(&promises)
}
