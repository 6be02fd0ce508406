//! Two futures on a socket: the next piece, and all pieces to the end.

use std::io;

use crate::{Poll, SimpleFuture, Socket};

/// Reads the next piece of data from a socket. An empty piece means that the peer has closed the connection.
///
/// ```
/// use step01_simple_future::{Poll, SimpleFuture, Socket, SocketRead};
///
/// let (socket, _peer) = Socket::pair()?;
/// let mut read = SocketRead::new(&socket);
/// assert!(matches!(read.poll(|| {}), Poll::Pending));
/// # Ok::<(), std::io::Error>(())
/// ```
// ANCHOR: struct
#[derive(Debug)]
pub struct SocketRead<'a> {
    socket: &'a Socket,
}
// ANCHOR_END: struct

impl<'a> SocketRead<'a> {
    /// A future that has read nothing yet, because a future is lazy.
    pub fn new(socket: &'a Socket) -> Self {
        SocketRead { socket }
    }
}

// ANCHOR: socket_read
impl SimpleFuture for SocketRead<'_> {
    type Output = io::Result<Vec<u8>>;

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        match self.socket.read_buf() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                // If data arrives between the match and this line, the socket calls `wake`
                // before `set_readable_callback` returns.
                self.socket.set_readable_callback(wake);
                Poll::Pending
            }
            finished => Poll::Ready(finished),
        }
    }
}
// ANCHOR_END: socket_read

/// Reads everything that arrives on a socket until the peer closes the connection.
///
/// ```
/// use step01_simple_future::{ReadToEnd, RunLoop, Socket};
/// use std::io::Write;
///
/// let (socket, mut peer) = Socket::pair()?;
/// peer.write_all(b"how")?;
/// peer.write_all(b"dy!")?;
/// drop(peer);
/// let outputs = RunLoop::new([ReadToEnd::new(&socket)]).run();
/// assert_eq!(outputs[0].as_ref().unwrap(), b"howdy!");
/// # Ok::<(), std::io::Error>(())
/// ```
// ANCHOR: read_to_end
#[derive(Debug)]
pub struct ReadToEnd<'a> {
    piece: SocketRead<'a>,
    /// The pieces that have arrived, one after another.
    so_far: Vec<u8>,
}
// ANCHOR_END: read_to_end

impl<'a> ReadToEnd<'a> {
    /// A future that has read nothing yet.
    pub fn new(socket: &'a Socket) -> Self {
        ReadToEnd {
            piece: SocketRead::new(socket),
            so_far: Vec::new(),
        }
    }
}

// ANCHOR: read_to_end_poll
impl SimpleFuture for ReadToEnd<'_> {
    type Output = io::Result<Vec<u8>>;

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        // Do not return after a piece: only a `Pending` from `self.piece` has left a callback
        // with the socket.
        loop {
            match self.piece.poll(wake) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Ready(Ok(piece)) if piece.is_empty() => {
                    return Poll::Ready(Ok(std::mem::take(&mut self.so_far)));
                }
                Poll::Ready(Ok(piece)) => self.so_far.extend(piece),
            }
        }
    }
}
// ANCHOR_END: read_to_end_poll
