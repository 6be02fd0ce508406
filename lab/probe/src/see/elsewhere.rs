//! The names inside of other crates from which something is concluded: modules, as the path of a file has them, and types.
//!
//! None of them is promised to stay. After an update that renames one, nothing is concluded from it any more, and the test that looks
//! each of them up in the source of its crate fails by its name. What a call means is in `say/calls.rs`, by shorter names.

/// What polls, of its futures, only those that were woken: crates, or modules of one. The module `future::select_all` polls all.
pub(crate) const SETS: &[&str] = &[
    "futures_util::stream::futures_unordered",
    "futures_util::stream::futures_ordered",
    "futures_util::stream::select_all",
    "futures_util::stream::stream::flatten_unordered",
    "futures_concurrency",
    "futures_buffered",
    "unicycle",
];

/// What only gives way, and is woken after its poll.
pub(crate) const GIVES_WAY: &str = "tokio::task::yield_now";

/// Waits for the end of a task.
pub(crate) const JOINS: &str = "tokio::runtime::task::join";

/// The drop of a runtime waits there for its closures.
pub(crate) const DROPS_RUNTIME: &str = "tokio::runtime::blocking::shutdown";

/// On the stack of a closure,
pub(crate) const CLOSURE: &str = "tokio::runtime::blocking::task";
/// and of a worker, which began as a closure too.
pub(crate) const WORKER: &str = "tokio::runtime::scheduler::multi_thread";

/// How the names of tokio's threads begin, if the program gives them none.
pub(crate) const THREADS: &str = "tokio-";

#[cfg(test)]
#[path = "../../tests/inside/elsewhere.rs"]
mod tests;
