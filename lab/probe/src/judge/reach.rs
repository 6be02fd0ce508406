//! What one poll more can show. Something between may poll only what was woken, and so keep that poll from what waits.

use crate::see::{
    elsewhere::{GIVES_WAY, JOINS, SETS},
    frames::Await,
    symbol::ItemPath,
};

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
    is_in(JOINS, awaits)
}

/// Whether one of these waits in a call of this crate or module. Functions of the same name elsewhere are something else.
fn is_in(module: &str, awaits: &[Await]) -> bool {
    let is_call = |call: &ItemPath| call.is_in(module);
    awaits.iter().any(|found| found.calls.iter().any(is_call))
}

#[cfg(test)]
#[path = "../../tests/inside/reach.rs"]
mod tests;
