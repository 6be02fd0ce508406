//! The handle of a task, as version 1 of stage 08 has it: the task sends its output through a oneshot channel.

use std::{
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures::channel::oneshot;
use pin_project_lite::pin_project;

use crate::{JoinError, Payload, contain::contain};

/// Waits for a task, and returns its output or its panic. Dropping it detaches the task.
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

pin_project! {
    /// A future that sends its output to its handle. It panics neither when it is polled nor when it is dropped.
    struct Sends<F: Future> {
        #[pin]
        future: Option<F>,
        // `None` once the output has been sent.
        sender: Option<oneshot::Sender<Result<F::Output, Payload>>>,
    }

    impl<F: Future> PinnedDrop for Sends<F> {
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            contain(|| this.future.set(None));
            contain(|| drop(this.sender.take())); // wakes the task that has the handle
        }
    }
}

/// Splits a future into a task without an output, and the handle that waits for the output.
pub(super) fn with_handle<T: Send + 'static>(
    future: impl Future<Output = T> + Send + 'static,
) -> (impl Future<Output = ()> + Send + 'static, JoinHandle<T>) {
    let (sender, receiver) = oneshot::channel();
    let task = Sends {
        future: Some(future),
        sender: Some(sender),
    };
    (task, JoinHandle(receiver))
}

impl<F: Future> Future for Sends<F> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut this = self.project();
        let Some(future) = this.future.as_mut().as_pin_mut() else {
            return Poll::Ready(());
        };
        let result = match catch_unwind(AssertUnwindSafe(|| future.poll(cx))) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(payload) => Err(payload),
        };
        contain(|| this.future.set(None)); // a panic of the destructor changes nothing about the result
        let sender = this.sender.take();
        // The waker of the handle may panic. If the handle has been dropped, the result comes back, and is dropped here.
        contain(|| drop(sender.map(|sender| sender.send(result))));
        Poll::Ready(())
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let received = ready!(Pin::new(&mut self.0).poll(cx));
        Poll::Ready(match received {
            Ok(result) => result.map_err(JoinError::panicked),
            // The sender was dropped, and so was the future before it.
            Err(oneshot::Canceled) => Err(JoinError::cancelled()),
        })
    }
}
