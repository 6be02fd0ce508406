//! The rows. Each is a function, for any runtime that can do it.

mod memory;
mod messages;
mod sleeps;
mod sockets;
mod tasks;

use crate::{
    measure::{Answer, Size},
    runtime::{Net, Runtime},
};

/// A workload on one runtime.
pub(crate) type Measure = fn(Size) -> Answer;

/// What a workload is about, apart from the time that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    Time,
    /// How late the sleeps are.
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
    Workload {
        name,
        operation,
        about: About::Time,
    }
}

/// All of them, in the order of the rows.
pub(crate) const ALL: &[Workload] = &[
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
        "chain",
        "a task of 10,000, each of which spawns the next one",
    ),
    timed(
        "two-tasks",
        "a round trip between two tasks, over two channels of 1",
    ),
    timed(
        "two-tasks-one-worker",
        "the same on a runtime with one worker",
    ),
    timed(
        "oneshot",
        "two spawned tasks that answer each other over two oneshot channels, 1,000 pairs at a time",
    ),
    timed(
        "mpsc",
        "a round trip over two channels of 1, between 64 pairs of tasks, spawned by the root future",
    ),
    timed("mpsc-inside", "the same, spawned by a task"),
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

impl Workload {
    /// On a runtime that only runs tasks.
    pub(crate) fn on<R: Runtime>(&self) -> Option<Measure> {
        Some(match self.name {
            "spawn" => tasks::spawn::<R, false>,
            "spawn-inside" => tasks::spawn::<R, true>,
            "spawn-await" => tasks::spawn_await::<R>,
            "yield" => tasks::yields::<R, false>,
            "yield-inside" => tasks::yields::<R, true>,
            "chain" => tasks::chain::<R>,
            "start-stop" => tasks::start_stop::<R>,
            "two-tasks" => messages::two_tasks::<R, 2>,
            "two-tasks-one-worker" => messages::two_tasks::<R, 1>,
            "oneshot" => messages::oneshots::<R>,
            "mpsc" => messages::pairs::<R, false>,
            "mpsc-inside" => messages::pairs::<R, true>,
            "memory" => memory::run::<R>,
            _ => return None,
        })
    }

    /// On a runtime that has timers and sockets too.
    pub(crate) fn on_net<R: Net>(&self) -> Option<Measure> {
        match self.name {
            "sleeps" => Some(sleeps::run::<R>),
            "echo" => Some(sockets::echo::<R>),
            "http" => Some(sockets::http::<R>),
            _ => self.on::<R>(),
        }
    }
}

/// The sum of what these tasks return.
async fn sum(handles: Vec<impl Future<Output = usize>>) -> usize {
    let mut sum = 0;
    for handle in handles {
        sum += handle.await;
    }
    sum
}

/// Runs `work` by the root future or, if it is to be `INSIDE`, by a task that the root future spawns and joins: then a worker
/// does it, where there is one.
async fn work_in<R: Runtime, const INSIDE: bool>(
    work: impl Future<Output = usize> + Send + 'static,
) -> usize {
    match INSIDE {
        true => R::spawn(work).await,
        false => work.await,
    }
}
