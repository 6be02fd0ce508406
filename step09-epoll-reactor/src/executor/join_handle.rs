//! The handle of a task, as version 1 of stage 08 has it: the task sends its output through a oneshot channel.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures::channel::oneshot;

use crate::{
    JoinError,
    task_future::{Payload, TaskFuture},
};

/// Waits for a task, and gives out its output or its panic. Dropping it detaches the task.
///
/// ```
/// use step09_epoll_reactor::{block_on, spawn};
///
/// block_on(async {
///     assert_eq!(spawn(async { 6 * 7 }).await.unwrap(), 42);
///     let error = spawn(async { panic!("no answer") }).await.unwrap_err();
///     assert_eq!(error.to_string(), "the task panicked: no answer");
/// });
/// ```
#[derive(Debug)]
pub struct JoinHandle<T>(oneshot::Receiver<Result<T, Payload>>);

/// Splits a future into a task without an output, and the handle that waits for the output.
pub(crate) fn with_handle<T: Send + 'static>(
    future: impl Future<Output = T> + Send + 'static,
) -> (impl Future<Output = ()> + Send + 'static, JoinHandle<T>) {
    let (sender, receiver) = oneshot::channel();
    let mut future = TaskFuture::new(future);
    let task = async move {
        let result = poll_fn(|cx| future.poll(cx)).await;
        // An error: the handle has been dropped. Then the result comes back, and is dropped here.
        let _ = sender.send(result);
    };
    (task, JoinHandle(receiver))
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let received = ready!(Pin::new(&mut self.0).poll(cx));
        Poll::Ready(match received {
            Ok(result) => result.map_err(JoinError::panicked),
            // The sender was dropped, and so was the future, which owned it.
            Err(oneshot::Canceled) => Err(JoinError::cancelled()),
        })
    }
}
