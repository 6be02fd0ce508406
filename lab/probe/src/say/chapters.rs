//! Which chapter of *Poll to Tokio* explains what. `tests/chapters.rs` compares the titles with those of the stages.

/// A chapter, and its title.
pub(crate) type Chapter = (u32, &'static str);

pub(crate) const JOIN: Chapter = (2, "Two futures at once");
pub(crate) const TIMER_FUTURE: Chapter = (3, "A timer as a future");
pub(crate) const CHANNEL_EXECUTOR: Chapter = (4, "An executor on a channel");
pub(crate) const PARKER_BLOCK_ON: Chapter = (5, "Park, unpark and block_on");
pub(crate) const REACTOR: Chapter = (6, "One thread for all timers");
pub(crate) const MINI_TOKIO: Chapter = (7, "A small tokio");
pub(crate) const JOIN_HANDLE: Chapter = (8, "Join handles and worker threads");
