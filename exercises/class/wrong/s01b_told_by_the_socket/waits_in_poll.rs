use std::io;
use step01_simple_future::{Poll, SimpleFuture, Socket};

/// The next piece of data from a socket.
struct NextPiece<'a> {
    socket: &'a Socket,
}

impl SimpleFuture for NextPiece<'_> {
    type Output = io::Result<Vec<u8>>;

    fn poll(&mut self, wake: fn()) -> Poll<Self::Output> {
        // ANCHOR: slip
        while !self.socket.has_data_to_read() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        match self.socket.read_buf() {
            // ANCHOR_END: slip
            // TODO: somebody must call `wake` when data has come.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Poll::Pending,
            answer => Poll::Ready(answer),
        }
    }
}

fn main() {}
