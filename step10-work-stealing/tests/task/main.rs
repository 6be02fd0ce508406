//! A task and its handle, moved on by hand, step by step, without the workers: who polls, who drops, who wakes, and how
//! often. The sources themselves are modules of this crate, because a user of the runtime cannot see so much.

mod abort;
mod bench;
mod destructors;
mod errors;
mod join;

mod references;
mod state;
mod table;
mod threads;
mod wake;

#[allow(
    dead_code,
    unused_imports,
    reason = "the scheduler uses more of it than these tests"
)]
#[path = "../../src"]
mod src {
    pub mod budget;
    pub mod carried {
        pub mod contain;
        pub mod join_error;
    }
    pub mod sync;
    pub mod task;
}

use src::{
    budget,
    carried::{contain, join_error::JoinError},
    sync, task,
    task::{self as task_future, JoinHandle},
};
