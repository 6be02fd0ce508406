//! What one poll more can show. Something between may poll only what was woken, and so keep that poll from what waits.

use crate::see::frames::Await;

/// What polls, of its futures, only those that were woken: a part of each call that it is in.
const SETS: &[&str] = &[
    "futures_unordered",
    "futures_ordered",
    "flatten_unordered",
    "select_all",
    "futures_concurrency",
    "futures_buffered",
    "unicycle",
];

/// By where the future has cloned the waker of that poll.
pub(crate) fn is_sure(awaits: &[Await]) -> bool {
    let is_set = |call: &String| SETS.iter().any(|set| call.contains(set));
    let is_in_set = |found: &Await| found.calls.iter().any(is_set);
    !awaits.iter().any(is_in_set)
}

/// Whether that poll has come to a place that only gives way, and asks to be polled again.
pub(crate) fn gives_way(awaits: &[Await]) -> bool {
    let mut calls = awaits.iter().flat_map(|found| &found.calls);
    calls.any(|call| call.contains("yield_now"))
}
