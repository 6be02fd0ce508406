//! A connection with the traits of futures, as hyper wants it.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures::io::{AsyncRead, AsyncWrite};
use hyper::rt::{Read, ReadBufCursor, Write};

/// How much is read at once.
const CHUNK: usize = 8 << 10;

/// Reads into a buffer of its own, because hyper's is not initialized, and copies what has come.
pub(crate) struct HyperIo<S> {
    stream: S,
    buffer: Box<[u8]>,
}

impl<S> HyperIo<S> {
    pub(crate) fn new(stream: S) -> HyperIo<S> {
        let buffer = vec![0; CHUNK].into();
        HyperIo { stream, buffer }
    }
}

impl<S: AsyncRead + Unpin> Read for HyperIo<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut to: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let HyperIo { stream, buffer } = &mut *self;
        let most = to.remaining().min(CHUNK);
        let count = ready!(Pin::new(stream).poll_read(cx, &mut buffer[..most]))?;
        to.put_slice(&buffer[..count]);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> Write for HyperIo<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buffer)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_close(cx)
    }
}
