//! Where more is said of what a message means: in a chapter of the course for its readers, and in the README for everybody else.

/// The number of a chapter of *Poll to Tokio*, its title, and the anchor of the README's section about the same.
pub(crate) type Page = (u32, &'static str, &'static str);

pub(crate) const JOIN: Page = (2, "Two futures at once", "futures-inside-of-a-future");
pub(crate) const TIMER_FUTURE: Page = (3, "A timer as a future", "the-promise-of-pending");
pub(crate) const CHANNEL_EXECUTOR: Page = (4, "An executor on a channel", "a-poll-for-each-wake");
pub(crate) const PARKER_BLOCK_ON: Page = (5, "Park, unpark and block_on", "a-thread-that-polls");
pub(crate) const REACTOR: Page = (6, "One thread for all timers", "what-is-dropped-too-early");
pub(crate) const MINI_TOKIO: Page = (7, "A small tokio", "what-ends-a-task");
pub(crate) const JOIN_HANDLE: Page = (8, "Join handles and worker threads", "who-waits-for-a-task");
/// What no watched future can tell.
pub(crate) const ELSE: &str = "what-else-can-hang";
/// How a run is shown event by event.
pub(crate) const TRACE: &str = "a-run-step-by-step";

/// Where a section of the README is.
pub(crate) fn section(anchor: &str) -> String {
    format!("README.md#{anchor}")
}
