//! Many tasks that are joined one by one, as they finish, and aborted together.

use std::future::Future;

use futures::stream::{FuturesUnordered, StreamExt};

use crate::{JoinError, JoinHandle};

/// Tasks that belong together. Dropping the set aborts those that are not finished.
///
/// ```
/// use step08_join_handle::{JoinSet, Runtime};
///
/// let runtime = Runtime::new(2);
/// let sum = runtime.block_on(async {
///     let mut set = JoinSet::new();
///     for i in 1..=10 {
///         set.spawn(async move { i * i });
///     }
///     let mut sum = 0;
///     while let Some(result) = set.join_next().await {
///         sum += result.unwrap();
///     }
///     sum
/// });
/// assert_eq!(sum, 385);
/// ```
#[derive(Debug)]
pub struct JoinSet<T: Send + 'static> {
    handles: FuturesUnordered<JoinHandle<T>>,
}

impl<T: Send + 'static> JoinSet<T> {
    /// Creates an empty set.
    pub fn new() -> JoinSet<T> {
        let handles = FuturesUnordered::new();
        JoinSet { handles }
    }

    /// Spawns a task by [`spawn`](crate::spawn), and adds it to the set.
    pub fn spawn(&mut self, future: impl Future<Output = T> + Send + 'static) {
        self.handles.push(crate::spawn(future));
    }

    /// Waits until one of the tasks is finished, removes it from the set, and returns its result. `None`: the set is
    /// empty. If several tasks are finished already, it returns any of their results.
    ///
    /// If this future is dropped early, no result is lost.
    pub async fn join_next(&mut self) -> Option<Result<T, JoinError>> {
        self.handles.next().await
    }

    /// The number of tasks in the set: those that have not been returned by [`join_next`](JoinSet::join_next).
    pub fn len(&self) -> usize {
        self.handles.len()
    }

    /// Whether there is no task in the set.
    pub fn is_empty(&self) -> bool {
        self.handles.is_empty()
    }

    /// Aborts every task of the set. They stay in the set, and [`join_next`](JoinSet::join_next) returns their results.
    pub fn abort_all(&self) {
        for handle in &self.handles {
            handle.abort();
        }
    }
}

impl<T: Send + 'static> Default for JoinSet<T> {
    fn default() -> Self {
        JoinSet::new()
    }
}

// ANCHOR: drop
impl<T: Send + 'static> Drop for JoinSet<T> {
    fn drop(&mut self) {
        self.abort_all();
    }
}
// ANCHOR_END: drop
