//! Four executors for tasks that are `Send`, and a local one. All five run every task to completion, but versions 1 and 2
//! add a delay or waste CPU.

pub mod local;
pub mod v1_looks_every_10_ms;
pub mod v2_sends_again;
pub mod v3_polls_when_woken;
pub mod v4_cleans_up;
