//! A future that reads the next piece of data from a socket.

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
                self.socket.set_readable_callback(wake);
                Poll::Pending
            }
            finished => Poll::Ready(finished),
        }
    }
}
// ANCHOR_END: socket_read
