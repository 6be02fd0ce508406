//! What many wait for: tasks that wait for a permit or a slot, a set of tasks to be joined, and threads for code that blocks.
//!
//! Read `semaphore.rs` first. The others can be read in any order.

pub(crate) mod blocking;
pub mod channel;
pub(crate) mod join_set;
mod permit;
pub mod semaphore;
