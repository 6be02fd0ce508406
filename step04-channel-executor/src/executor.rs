//! Three executors. Each keeps all promises; each but the last pays for it in its own way.

pub mod s1_looks_every_10_ms;
pub mod s2_sends_again;
pub mod s3_polls_when_woken;
