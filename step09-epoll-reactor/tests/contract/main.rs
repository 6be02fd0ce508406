//! The contract of an executor and of its leaf futures: they keep all but one clause of it that is about what they offer.
//!
//! `cargo run -p matrix -- --clause sleeps` prints what the clause `sleeps` demands, and why.

mod adapter;

use std::process::ExitCode;

use contract::{
    Side,
    suite::{self, Promise},
};

contract::count_allocations!();

const PAYLOAD: &str = "The payload of a panic is dropped outside of the `catch_unwind` that has caught it, so a payload that panics when it is dropped comes through.";

fn main() -> ExitCode {
    let promises = adapter::SUBJECTS.iter().map(|subject| match subject.side {
        Side::Runtime(_) => Promise::all(*subject).not_yet(PAYLOAD, &["a_panicking_payload"]),
        _ => Promise::all(*subject),
    });
    suite::main(&promises.collect::<Vec<_>>())
}
