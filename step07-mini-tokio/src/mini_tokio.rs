//! The runtime, twice: one that asks all tasks all the time, and one that is told.

pub mod v1_queue;
pub mod v2_channel;
