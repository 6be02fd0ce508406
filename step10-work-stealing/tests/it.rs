//! Tree Borrows: under Miri these need them, because crossbeam's queues break the rules of Stacked Borrows.
//!
//! All tests of this stage that one program can run.

#[cfg(feature = "hyper")]
mod hyper_rt;
mod idle;
mod idle_word;
mod paper;
mod recording;
mod runtime;
mod scheduler;
mod state;
mod storm;
mod transcript;
mod versions;

mod sync {
    pub(crate) use std::sync::{Mutex, MutexGuard, atomic};
}
