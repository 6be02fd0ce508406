//! A future that polls another one: it collects all pieces to the end of the stream.

use std::{io, mem};

use step01_simple_future::{Poll, SimpleFuture, Socket, SocketRead};

/// Reads everything that arrives on a socket until the peer closes the connection.
// ANCHOR: read_to_end
#[derive(Debug)]
pub struct ReadToEnd<'a> {
    socket: &'a Socket,
    next_piece: SocketRead<'a>,
    /// The pieces that have arrived, one after another.
    so_far: Vec<u8>,
}
// ANCHOR_END: read_to_end

impl<'a> ReadToEnd<'a> {
    /// A future that has read nothing yet.
    pub fn new(socket: &'a Socket) -> Self {
        ReadToEnd {
            socket,
            next_piece: SocketRead::new(socket),
            so_far: Vec::new(),
        }
    }
}

// ANCHOR: read_to_end_poll
impl SimpleFuture for ReadToEnd<'_> {
    type Output = io::Result<Vec<u8>>;

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        // Do not return after a piece: only a `SocketRead` that is pending has registered `wake`.
        loop {
            match self.next_piece.poll(wake) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Ready(Ok(piece)) if piece.is_empty() => {
                    return Poll::Ready(Ok(mem::take(&mut self.so_far)));
                }
                Poll::Ready(Ok(piece)) => {
                    self.so_far.extend(piece);
                    self.next_piece = SocketRead::new(self.socket);
                }
            }
        }
    }
}
// ANCHOR_END: read_to_end_poll
