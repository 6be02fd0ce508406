//! The runtime, twice: one that asks all tasks all the time, and one that is told.

pub mod s1_queue;
pub mod s2_channel;
