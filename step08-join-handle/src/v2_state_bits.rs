//! Version 2: the state of a task is one atomic word, and no worker waits for another.
//!
//! Read `state.rs` first. It says what a task's six bits mean, and has a method for each change of them.

mod blocking;
mod context;
mod handle;
mod join_handle;
mod run;
mod runnable;
mod runtime;
mod shared;
mod spawn;
pub mod state;
mod task;

pub use handle::Handle;
pub use join_handle::{JoinHandle, spawn_on};
pub use runnable::Runnable;
pub use runtime::Runtime;
pub use spawn::{spawn, spawn_blocking};
