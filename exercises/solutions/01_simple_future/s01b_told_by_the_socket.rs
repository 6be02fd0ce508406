//! s01b, solved: the socket gets the `wake`, because the socket sees the data come.

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
                // Called later, by the thread that reads. If data came just now, it is called at once.
                self.socket.set_readable_callback(wake);
                Poll::Pending
            }
            answer => Poll::Ready(answer),
        }
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use std::thread;
    use std::time::{Duration, Instant};

    static WAKES: AtomicU32 = AtomicU32::new(0);

    fn wake() {
        WAKES.fetch_add(1, SeqCst);
    }

    #[test]
    fn it_is_told_when_data_has_come() {
        probe::within(Duration::from_secs(2), || {
            let test = async { data_comes_after_the_first_poll() };
            futures::executor::block_on(probe::watch("NextPiece", test));
        });
    }

    fn data_comes_after_the_first_poll() {
        let (socket, mut peer) = Socket::pair().unwrap();
        let mut piece = NextPiece { socket: &socket };
        assert!(
            matches!(piece.poll(wake), Poll::Pending),
            "No data has been sent, so the first poll must answer Pending. It answered Ready."
        );
        // Long enough for somebody who only lets a little time pass before the call.
        thread::sleep(Duration::from_millis(50));
        assert!(
            WAKES.load(SeqCst) == 0,
            "`wake` was called, and no data had come. A run loop would poll again at once, in vain, and so for ever.\n\
             Asked: a call when there is data.\n\
             Look at: who knows that?"
        );
        peer.write_all(b"howdy!").unwrap();
        let sent = Instant::now();
        while WAKES.load(SeqCst) == 0 {
            assert!(
                sent.elapsed() < Duration::from_secs(1),
                "Data came, and nobody called `wake`: the future would sleep for ever.\n\
                 It answered Pending at its first poll.\n\
                 Look at: whom did it give its `wake` to before that?"
            );
            thread::sleep(Duration::from_millis(1));
        }
        let answer = piece.poll(wake);
        assert!(
            matches!(&answer, Poll::Ready(Ok(data)) if data == b"howdy!"),
            "After the wake the data is there. Asked: Ready, with what was sent. It answered {answer:?}."
        );
    }
}
