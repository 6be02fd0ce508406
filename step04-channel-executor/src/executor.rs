//! Three executors for tasks that are `Send`, and a local one. All four run every task to completion, but only the
//! third and the local one do so without delay and without wasting CPU.

pub mod local;
pub mod v1_looks_every_10_ms;
pub mod v2_sends_again;
pub mod v3_polls_when_woken;
