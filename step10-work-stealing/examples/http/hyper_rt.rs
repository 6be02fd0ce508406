//! What hyper 1 asks of a runtime: sockets that read and write in its manner, timers, and a place for its tasks.

use std::{
    cell::Cell,
    future::Future,
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use futures::{AsyncRead, AsyncWrite};
use hyper::rt::{Read, ReadBufCursor, Write};
use step10_work_stealing::{net::TcpStream, spawn, time};

/// The most that is read or gathered at once.
const BUFFER: usize = 64 * 1024;

thread_local! {
    /// Data passes through it within one poll, so a thread needs only one, and a connection that waits needs none.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

fn with_buffer<R>(f: impl FnOnce(&mut [u8]) -> R) -> R {
    // Taken rather than borrowed, because a waker that is dropped in `f` may come here again. While the thread is ending, its
    // variable has been dropped already, and a new buffer serves.
    let mut buffer = SPARE.try_with(Cell::take).unwrap_or_default();
    buffer.resize(BUFFER, 0);
    let result = f(&mut buffer);
    let _ = SPARE.try_with(|spare| spare.set(buffer));
    result
}

/// A connection that hyper reads and writes.
// ANCHOR: io
#[derive(Debug)]
pub struct Io(TcpStream);

impl Io {
    /// Wraps a connection.
    pub fn new(stream: TcpStream) -> Io {
        Io(stream)
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
#[derive(Debug, Clone, Copy, Default)]
pub struct Timer;

impl hyper::rt::Timer for Timer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn hyper::rt::Sleep>> {
        Box::pin(Sleep(time::sleep(duration)))
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn hyper::rt::Sleep>> {
        self.sleep(deadline.saturating_duration_since(Instant::now()))
    }
}

/// Wrapped, because a trait of hyper's can be implemented only for a type of this crate.
struct Sleep(time::Sleep);

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.0).poll(cx)
    }
}

impl hyper::rt::Sleep for Sleep {}

/// Lets hyper spawn tasks, which it does for HTTP/2. They run as those of [`spawn`] do, detached.
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
