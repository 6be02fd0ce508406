//! What hyper 1 asks of a runtime: sockets that read and write in its manner, timers, and a place for its tasks.

use std::{
    future::Future,
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use futures::io::{AsyncRead, AsyncWrite};
use hyper::rt::{Read, ReadBufCursor, Sleep, Write};

use crate::{net::TcpStream, spawn, time};

/// So much is read at once at most.
const READ: usize = 8192;

/// A connection that hyper reads and writes.
// ANCHOR: io
#[derive(Debug)]
pub struct Io {
    stream: TcpStream,
    /// hyper's buffer may be uninitialized, so data goes through this one.
    buffer: Box<[u8]>,
}

impl Io {
    /// Wraps a connection.
    pub fn new(stream: TcpStream) -> Io {
        Io {
            stream,
            buffer: vec![0; READ].into(),
        }
    }
}

impl Read for Io {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut to: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let most = this.buffer.len().min(to.remaining());
        let buffer = &mut this.buffer[..most];
        let count = ready!(Pin::new(&mut this.stream).poll_read(cx, buffer))?;
        to.put_slice(&buffer[..count]);
        Poll::Ready(Ok(()))
    }
}

impl Write for Io {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, data)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_close(cx)
    }
}
// ANCHOR_END: io

/// Lets hyper wait, for example until a client has been too slow.
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

/// Lets hyper spawn tasks, which it does for HTTP/2.
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
