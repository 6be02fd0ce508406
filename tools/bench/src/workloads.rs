//! What is measured. Each file is one workload, for any runtime that can do it.

mod chain;
mod echo;
mod http;
mod memory;
mod mpsc;
mod oneshot;
mod sleeps;
mod spawn;
mod spawn_await;
mod start_stop;
mod yields;

use crate::{
    measure::{Answer, Size},
    runtime::{Net, Runtime, Sleep},
};

/// A workload on one runtime.
pub(crate) type Measure = fn(Size) -> Answer;

/// What a workload is about, apart from the time that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// Only the time.
    Time,
    /// How late the sleeps are, and on how many threads.
    Lateness,
    /// How many bytes a task takes.
    Memory,
}

/// A workload, as the tables name it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    /// What is one operation.
    pub(crate) operation: &'static str,
    pub(crate) about: About,
}

const fn timed(name: &'static str, operation: &'static str) -> Workload {
    let about = About::Time;
    Workload {
        name,
        operation,
        about,
    }
}

/// All of them, in the order of the rows.
pub(crate) const ALL: [Workload; 14] = [
    timed(
        "spawn",
        "a task of 100,000 that the root future spawns and then joins",
    ),
    timed("spawn-inside", "the same, spawned and joined by a task"),
    timed(
        "spawn-await",
        "a task that a task spawns and awaits, one by one",
    ),
    timed(
        "yield",
        "a yield of 1,000 tasks that yield 1,000 times, spawned by the root future",
    ),
    timed("yield-inside", "the same, spawned by a task"),
    timed(
        "oneshot",
        "two spawned tasks that answer each other over two oneshot channels",
    ),
    timed(
        "mpsc",
        "a round trip over two bounded channels of 1, between 64 pairs of tasks, spawned by the root future",
    ),
    timed("mpsc-inside", "the same, spawned by a task"),
    timed(
        "chain",
        "a task of 10,000, each of which spawns the next one",
    ),
    Workload {
        name: "sleeps",
        operation: "a sleep of 10,000 at once, of 1 to 50 ms",
        about: About::Lateness,
    },
    timed(
        "echo",
        "a round trip of 64 bytes over one of 64 TCP connections",
    ),
    timed(
        "http",
        "a request to hyper over one of 32 HTTP/1.1 connections that are kept alive",
    ),
    Workload {
        name: "memory",
        operation: "a task that waits, with its handle",
        about: About::Memory,
    },
    timed(
        "start-stop",
        "a runtime with two workers that starts, runs one task and is dropped",
    ),
];

/// What a runtime can do that only runs tasks.
pub(crate) fn tasks<R: Runtime>() -> Vec<(&'static str, Measure)> {
    vec![
        ("spawn", spawn::from_the_root::<R>),
        ("spawn-inside", spawn::from_a_task::<R>),
        ("spawn-await", spawn_await::run::<R>),
        ("yield", yields::from_the_root::<R>),
        ("yield-inside", yields::from_a_task::<R>),
        ("oneshot", oneshot::run::<R>),
        ("mpsc", mpsc::from_the_root::<R>),
        ("mpsc-inside", mpsc::from_a_task::<R>),
        ("chain", chain::run::<R>),
        ("memory", memory::run::<R>),
    ]
}

/// What a runtime can do that ends when it is dropped.
pub(crate) fn start_stop<R: Runtime>() -> Vec<(&'static str, Measure)> {
    vec![("start-stop", start_stop::run::<R>)]
}

/// What timers are needed for.
pub(crate) fn sleeps<R: Sleep>() -> Vec<(&'static str, Measure)> {
    vec![("sleeps", sleeps::run::<R>)]
}

/// What sockets are needed for.
pub(crate) fn sockets<R: Net>() -> Vec<(&'static str, Measure)> {
    vec![("echo", echo::run::<R>), ("http", http::run::<R>)]
}
