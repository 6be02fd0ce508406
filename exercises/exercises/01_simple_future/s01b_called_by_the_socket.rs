//! s01b · repair · 10 minutes · chapter 01, "A future by hand"
//!
//! *Future and scheduling* shows a future that is never woken (D01). This one makes the same mistake on a socket. Repair
//! `poll`, so that the `wake` of each pending poll is called when data arrives, and not before.
//!
//! What a socket can do is in `step01-simple-future/src/socket.rs`.
//!
//! Run: `cargo test --bin s01b_called_by_the_socket`
//! Red: the test sends data, waits for a call of `wake`, and reports that none came.

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
            // TODO: make sure that `wake` is called when data arrives.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Poll::Pending,
            answer => Poll::Ready(answer),
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s01b_called_by_the_socket.rs"]
mod tests;
