//! Tree Borrows: under Miri these need them, because crossbeam's queues break the rules of Stacked Borrows.
//!
//! All tests of this stage that one program can run.

mod hostile;
mod hyper_rt;
mod idle;
mod idle_word;
mod runtime;
mod state;
mod storm;
mod transcript;
mod versions;

#[allow(dead_code, unused_imports, reason = "the stage uses more of it")]
#[path = "../src/sync.rs"]
mod sync;
