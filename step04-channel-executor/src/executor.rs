//! Three executors. Each keeps all promises; each but the last pays for it in its own way.

pub mod v1_looks_every_10_ms;
pub mod v2_sends_again;
pub mod v3_polls_when_woken;
