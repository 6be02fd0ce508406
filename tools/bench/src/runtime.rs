//! What a runtime must offer to be measured. All calls are static, so that the measurement adds no box and no table of
//! functions to what a runtime does.

use std::{
    fmt::Debug,
    future::{Future, poll_fn},
    io,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use futures::{
    channel::oneshot,
    io::{AsyncRead, AsyncWrite},
};

/// A runtime that runs tasks.
pub(crate) trait Runtime: 'static {
    /// What its tasks spawn with.
    type Spawner: Spawn;

    /// Starts it, with two workers if it has workers.
    fn start() -> Self;

    /// Runs the future that `main` makes to its end, on the calling thread where the runtime can do that.
    fn block_on<F>(&mut self, main: impl FnOnce(Self::Spawner) -> F) -> F::Output
    where
        F: Future<Output: Send + 'static> + Send + 'static;

    /// Lets other tasks go first.
    fn yield_now() -> impl Future<Output = ()> + Send {
        yield_once()
    }
}

/// Spawns as the tasks of this runtime usually do: by a free function, or by a handle that they are given.
pub(crate) trait Spawn: Clone + Send + 'static {
    /// The handle of a task.
    type Join<T: Send + 'static>: Future<Output = T> + Send + 'static;

    /// Spawns a task whose output is wanted.
    fn spawn<T, F>(&self, future: F) -> Self::Join<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static;

    /// Spawns a task that nobody waits for.
    fn detach<F: Future<Output = ()> + Send + 'static>(&self, future: F);
}

/// Runs `work` in a task, and returns its output: what it does there is done by a worker, where there is one.
pub(crate) async fn inside<S, F>(spawner: S, work: impl FnOnce(S) -> F) -> F::Output
where
    S: Spawn,
    F: Future<Output: Send + 'static> + Send + 'static,
{
    spawner.spawn(work(spawner.clone())).await
}

/// A runtime with timers.
pub(crate) trait Sleep: Runtime {
    /// Waits as long as this.
    fn sleep(duration: Duration) -> impl Future<Output = ()> + Send;
}

/// A runtime with sockets. All of them send at once what is written (`TCP_NODELAY`).
pub(crate) trait Net: Runtime {
    /// Accepts connections.
    type Listener: Send;
    /// A connection.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;
    /// A connection as hyper wants it.
    type Io: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static;

    /// Listens at this address.
    fn listen(
        address: SocketAddr,
    ) -> impl Future<Output = io::Result<(Self::Listener, SocketAddr)>> + Send;

    /// Accepts one connection.
    fn accept(
        listener: &mut Self::Listener,
    ) -> impl Future<Output = io::Result<Self::Stream>> + Send;

    /// Makes a connection.
    fn connect(address: SocketAddr) -> impl Future<Output = io::Result<Self::Stream>> + Send;

    /// Hands a connection to hyper.
    fn io(stream: Self::Stream) -> Self::Io;
}

/// A handle whose runtime answers with a `Result`.
pub(crate) struct Joined<H>(pub(crate) H);

impl<T, E: Debug, H: Future<Output = Result<T, E>> + Unpin> Future for Joined<H> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let answer = Pin::new(&mut self.0).poll(cx);
        answer.map(|it| it.expect("a task has no output"))
    }
}

/// A future without an output, and where the output of `future` arrives: for runtimes without join handles.
pub(crate) fn with_oneshot<T: Send + 'static>(
    future: impl Future<Output = T> + Send + 'static,
) -> (
    impl Future<Output = ()> + Send + 'static,
    oneshot::Receiver<T>,
) {
    let (sender, receiver) = oneshot::channel();
    let sends = async move {
        // Who dropped the receiver does not want it.
        let _ = sender.send(future.await);
    };
    (sends, receiver)
}

/// Wakes its own task in the first poll, and is ready in the second: for runtimes without a `yield_now`.
async fn yield_once() {
    let mut yielded = false;
    poll_fn(|cx| {
        if yielded {
            return Poll::Ready(());
        }
        yielded = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
