//! A connection whose peer must take what is sent to it.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use hyper::rt::{Read, ReadBufCursor, Sleep, Timer, Write};

/// Ends with an error if the peer has taken nothing for a while. hyper itself limits only how long it reads the head of a
/// request.
pub struct Patient<C, T> {
    connection: C,
    timer: T,
    patience: Duration,
    /// Since when it waits.
    waits: Option<Pin<Box<dyn Sleep>>>,
}

impl<C, T: Timer> Patient<C, T> {
    pub fn new(connection: C, timer: T, patience: Duration) -> Patient<C, T> {
        Patient {
            connection,
            timer,
            patience,
            waits: None,
        }
    }

    fn limit(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.waits = None;
            return written;
        }
        let (timer, patience) = (&self.timer, self.patience);
        let waits = self.waits.get_or_insert_with(|| timer.sleep(patience));
        let is_over = waits.as_mut().poll(cx);
        is_over.map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<C: Read + Unpin, T: Unpin> Read for Patient<C, T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        to: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_read(cx, to)
    }
}

impl<C: Write + Unpin, T: Timer + Unpin> Write for Patient<C, T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.connection).poll_write(cx, data);
        self.limit(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.connection).poll_write_vectored(cx, parts);
        self.limit(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.connection.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_shutdown(cx)
    }
}
