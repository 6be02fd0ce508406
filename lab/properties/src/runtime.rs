//! A runtime, as the properties know it.

use std::{fmt::Debug, future::Future};

/// A runtime with worker threads and join handles.
pub trait Runtime: Sized {
    /// What a handle says in the place of an output.
    type Error: Debug;

    /// The handle of a task.
    type Handle<T: Send + 'static>: Future<Output = Result<T, Self::Error>> + Unpin;

    /// Whether tasks can be aborted.
    const ABORTS: bool = true;

    /// Whether a waker may panic. If not, a waker that does ends the process.
    const WAKERS: bool = true;

    /// Whether a task has panicked if it was cancelled and its future panics when it is dropped.
    const TELLS: bool = true;

    /// Starts it, with this number of workers.
    fn start(workers: usize) -> Self;

    /// Spawns a task.
    fn spawn<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Self::Handle<T>;

    /// Aborts a task.
    fn abort<T: Send + 'static>(handle: &Self::Handle<T>);

    /// Whether the task panicked. If not, it was cancelled.
    fn is_panic(error: &Self::Error) -> bool;
}
