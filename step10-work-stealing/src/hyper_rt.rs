//! What hyper 1 asks of a runtime: sockets that read and write in its manner, timers, and a place for its tasks.

use std::{
    cell::Cell,
    future::Future,
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use futures::io::{AsyncRead, AsyncWrite};
use hyper::rt::{Read, ReadBufCursor, Sleep, Write};

use crate::{net::TcpStream, spawn, time};

/// So much is read or gathered at once at most.
const BUFFER: usize = 64 * 1024;

thread_local! {
    /// Data passes through it within one poll, so a thread needs only one, and a connection that waits needs none.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

fn with_buffer<R>(f: impl FnOnce(&mut [u8]) -> R) -> R {
    // Taken rather than borrowed, because a waker that is dropped in `f` may come here again. An error: the thread is
    // ending, and its variable has been dropped already.
    let mut buffer = SPARE.try_with(Cell::take).unwrap_or_default();
    buffer.resize(BUFFER, 0);
    let result = f(&mut buffer);
    let _ = SPARE.try_with(|spare| spare.set(buffer));
    result
}

/// A connection that hyper reads and writes.
///
/// ```
/// use futures::io::{AsyncReadExt, AsyncWriteExt};
/// use hyper::{Request, Response, body, server::conn::http1, service::service_fn};
/// use step10_work_stealing::{Runtime, hyper_rt::Io, net::{TcpListener, TcpStream}, spawn};
///
/// Runtime::new(1).block_on(async {
///     let mut listener = TcpListener::bind(([127, 0, 0, 1], 0))?;
///     let mut client = TcpStream::connect(listener.local_addr()?).await?;
///     let (server, _peer) = listener.accept().await?;
///     spawn(async move {
///         let answer = service_fn(async |request: Request<body::Incoming>| {
///             Ok::<_, hyper::Error>(Response::new(request.uri().path().to_owned()))
///         });
///         http1::Builder::new().serve_connection(Io::new(server), answer).await
///     });
///     client.write_all(b"GET /hello HTTP/1.1\r\nHost: me\r\nConnection: close\r\n\r\n").await?;
///     let mut answer = String::new();
///     client.read_to_string(&mut answer).await?;
///     assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n/hello"));
///     std::io::Result::Ok(())
/// })?;
/// # std::io::Result::Ok(())
/// ```
// ANCHOR: io
#[derive(Debug)]
pub struct Io(TcpStream);

impl Io {
    /// Wraps a connection.
    pub fn new(stream: TcpStream) -> Io {
        Io(stream)
    }

    /// The connection, which hyper hands back in an `Io` if the protocol on it changes.
    pub fn into_inner(self) -> TcpStream {
        self.0
    }
}

/// # Errors
///
/// Those of the connection.
impl Read for Io {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut to: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        // Not into hyper's buffer, which may be uninitialized: only unsafe code may write to it.
        with_buffer(|buffer| {
            let most = buffer.len().min(to.remaining());
            let count = ready!(Pin::new(&mut self.0).poll_read(cx, &mut buffer[..most]))?;
            to.put_slice(&buffer[..count]);
            Poll::Ready(Ok(()))
        })
    }
}

/// # Errors
///
/// Those of the connection.
impl Write for Io {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, data)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_close(cx)
    }
    // ANCHOR_END: io

    /// Otherwise hyper would copy every body behind the head, into another buffer, however long it is.
    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut parts = parts.iter().filter(|part| !part.is_empty());
        match (parts.next(), parts.next()) {
            (None, _) => self.poll_write(cx, &[]),
            (Some(only), None) => self.poll_write(cx, only),
            (Some(first), Some(second)) => with_buffer(|buffer| {
                let mut count = 0;
                for part in [first, second].into_iter().chain(parts) {
                    let to = &mut buffer[count..];
                    let most = part.len().min(to.len());
                    to[..most].copy_from_slice(&part[..most]);
                    count += most;
                }
                self.poll_write(cx, &buffer[..count])
            }),
        }
    }
}

/// Lets hyper wait, for example until a client has been too slow. It waits on the runtime of the thread that calls.
///
/// ```
/// use std::time::{Duration, Instant};
/// use hyper::rt::Timer as _;
/// use step10_work_stealing::{Runtime, hyper_rt::Timer};
///
/// let start = Instant::now();
/// Runtime::new(1).block_on(async { Timer.sleep(Duration::from_millis(5)).await });
/// assert!(start.elapsed() >= Duration::from_millis(5));
/// ```
///
/// # Panics
///
/// Where [`time::sleep`](fn@time::sleep) and its future do.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timer;

impl hyper::rt::Timer for Timer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        Box::pin(time::sleep(duration))
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        self.sleep(deadline.saturating_duration_since(Instant::now()))
    }
}

impl Sleep for time::Sleep {}

/// Lets hyper spawn tasks, which it does for HTTP/2. They run as those of [`spawn`] do, detached.
///
/// ```
/// use futures::channel::oneshot;
/// use hyper::rt::Executor as _;
/// use step10_work_stealing::{Runtime, hyper_rt::Executor};
///
/// let (sender, receiver) = oneshot::channel();
/// let received = Runtime::new(1).block_on(async {
///     Executor.execute(async { sender.send(42) });
///     receiver.await
/// });
/// assert_eq!(received, Ok(42));
/// ```
// ANCHOR: executor
#[derive(Debug, Clone, Copy, Default)]
pub struct Executor;

impl<F> hyper::rt::Executor<F> for Executor
where
    F: Future<Output: Send> + Send + 'static,
{
    fn execute(&self, future: F) {
        drop(spawn(future));
    }
}
// ANCHOR_END: executor
