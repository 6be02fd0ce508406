//! What a user of the runtime cannot see, on a schedule that the test decides: one thread makes the steps of all.
//! `schedule.rs` is beside these files, but `src/worker.rs` includes it, because it makes the steps of a worker, which only that module
//! can.

mod idle_word;
mod state;
