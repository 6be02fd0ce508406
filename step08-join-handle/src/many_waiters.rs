//! What many wait for: tasks that wait for a permit or a slot, and a set of tasks to be joined.
//!
//! This is a room beside the stage: it uses the task and its handle, and nothing of the stage uses it. Read `semaphore.rs`
//! first, and then the others in any order.

pub mod channel;
pub(crate) mod join_set;
pub mod semaphore;
