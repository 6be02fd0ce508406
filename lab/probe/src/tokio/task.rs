//! Tasks and closures, which are watched.

mod join_handle;
mod join_set;
mod local_set;

use std::panic::Location;

use ::tokio::task as plain;
pub use ::tokio::task::*;

pub use self::{join_handle::JoinHandle, join_set::JoinSet, local_set::LocalSet};
use crate::see::{
    place::Line,
    scope,
    task::{self, Task, Types},
    watch::{OnDrop, watched_as},
};

/// The task is [`watched`](crate::watched), and who joins it waits for it.
#[track_caller]
pub fn spawn<F: Future<Output: Send> + Send + 'static>(future: F) -> JoinHandle<F::Output> {
    let watched = watched_as(None, Location::caller(), future);
    let task = watched.watch.task.0.clone();
    JoinHandle::new(plain::spawn(watched), task)
}

#[track_caller]
pub fn spawn_local<F: Future + 'static>(future: F) -> JoinHandle<F::Output>
where
    F::Output: 'static,
{
    let watched = watched_as(None, Location::caller(), future);
    let task = watched.watch.task.0.clone();
    JoinHandle::new(plain::spawn_local(watched), task)
}

/// The closure is watched as a task, which knows its thread.
#[track_caller]
pub fn spawn_blocking<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let runs = closure::<F, T>(Location::caller());
    let task = runs.0.clone();
    JoinHandle::new(plain::spawn_blocking(move || task::run(&runs.0, f)), task)
}

fn closure<F, T>(at: Line) -> OnDrop {
    let name = format!("closure of {}:{}", at.file(), at.line());
    let types = Types::of::<F, T>();
    OnDrop(Task::new(
        Some(name.into()),
        at,
        true,
        types,
        scope::watchers(),
    ))
}
