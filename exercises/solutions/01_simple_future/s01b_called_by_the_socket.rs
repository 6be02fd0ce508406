//! s01b, solved: the socket gets the `wake`, because the socket knows when data arrives.

use std::io;
use step01_simple_future::{Poll, SimpleFuture, Socket};

/// The next piece of data from a socket.
struct NextPiece<'a> {
    socket: &'a Socket,
}

impl SimpleFuture for NextPiece<'_> {
    type Output = io::Result<Vec<u8>>;

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        match self.socket.read_buf() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                // The socket calls it when data arrives, or at once if data has arrived since the line above.
                self.socket.set_readable_callback(wake);
                Poll::Pending
            }
            answer => Poll::Ready(answer),
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s01b_called_by_the_socket.rs"]
mod tests;
