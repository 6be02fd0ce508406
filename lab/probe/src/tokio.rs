//! tokio's locks, channels and tasks under the same names, which tell [`within`](crate::within) who has what a future waits for.
//!
//! Put `use why_pending::tokio::sync::Mutex;` in the place of `use tokio::sync::Mutex;`, or `use why_pending::tokio;` at the top of
//! the file, and what waits is watched. Where a type has to be tokio's own, as an argument of another library's, `.into()` makes it
//! that, and a reference to a lock is taken for one to tokio's.
#![expect(missing_docs, reason = "each is as tokio's of the same name")]

pub mod sync;
pub mod task;

pub use ::tokio::*;

pub use self::{
    sync::end::{End, WeakEnd},
    task::{JoinHandle, JoinSet, spawn},
};
