//! What one poll more can show. Something between may poll only what was woken, and so keep that poll from what waits.

use crate::see::{frames::Await, symbol::ItemPath};

/// What polls, of its futures, only those that were woken: crates, or modules of one. The module `future::select_all` polls all.
const SETS: &[&str] = &[
    "futures_util::stream::futures_unordered",
    "futures_util::stream::futures_ordered",
    "futures_util::stream::select_all",
    "futures_util::stream::stream::flatten_unordered",
    "futures_concurrency",
    "futures_buffered",
    "unicycle",
];

/// What only gives way, and is woken after its poll.
const GIVES_WAY: &str = "tokio::task::yield_now";

/// By where the future has cloned the waker of that poll.
pub(crate) fn is_sure(awaits: &[Await]) -> bool {
    !SETS.iter().any(|set| is_in(set, awaits))
}

/// Whether that poll has come to a place that only gives way, and asks to be polled again.
pub(crate) fn gives_way(awaits: &[Await]) -> bool {
    is_in(GIVES_WAY, awaits)
}

/// Whether it waits for the end of a task.
pub(crate) fn joins(awaits: &[Await]) -> bool {
    is_in("tokio::runtime::task::join", awaits)
}

/// Whether one of these waits in a call of this crate or module. Functions of the same name elsewhere are something else.
fn is_in(module: &str, awaits: &[Await]) -> bool {
    let is_call = |call: &ItemPath| call.is_in(module);
    awaits.iter().any(|found| found.calls.iter().any(is_call))
}

#[cfg(test)]
#[path = "../../tests/inside/reach.rs"]
mod tests;
