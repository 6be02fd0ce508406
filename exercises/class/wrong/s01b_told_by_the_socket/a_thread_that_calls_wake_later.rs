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
            // ANCHOR: slip
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                std::thread::spawn(move || {
                    std::thread::sleep(std::time::Duration::from_millis(10));
                    wake();
                });
                Poll::Pending
            }
            // ANCHOR_END: slip
            answer => Poll::Ready(answer),
        }
    }
}

fn main() {}
