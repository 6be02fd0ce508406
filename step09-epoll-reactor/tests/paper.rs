//! The question on paper: each call of an executor that serves one connection, in order.

#![cfg(target_os = "linux")]
// Miri knows no epoll of this kind.
#![cfg(not(miri))]

use std::{
    future::poll_fn,
    io::{self, Read, Write},
    net::Shutdown,
    os::{fd::AsFd, unix::net::UnixStream},
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::{join, pending};
use probe::within;
use step09_epoll_reactor::{BorrowedIo, Direction, Registered, v2_epoll::Epoll};

use crate::counted::{Calls, Counted};

/// A socket that writes down what its calls return, and the waits that were over before them.
struct Noted {
    stream: UnixStream,
    calls: Arc<Calls>,
    journal: Mutex<Vec<String>>,
}

impl Noted {
    fn note(&self, call: &str, result: io::Result<usize>) -> io::Result<usize> {
        let mut journal = self.journal.lock().unwrap();
        let noted = journal.iter().filter(|it| *it == "epoll_wait").count();
        journal.extend((noted..self.calls.so_far().waits).map(|_| "epoll_wait".to_owned()));
        let said = result
            .as_ref()
            .map_or("would block".into(), usize::to_string);
        journal.push(format!("{call}: {said}"));
        result
    }
}

impl AsFd for Noted {
    fn as_fd(&self) -> BorrowedIo<'_> {
        self.stream.as_fd()
    }
}

impl Read for &Noted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.note("read", (&self.stream).read(buffer))
    }
}

#[test]
fn each_call_that_the_executor_makes() {
    within(Duration::from_secs(10), || {
        let (mut runtime, calls) = Counted::runtime(Epoll::new().unwrap());
        let (stream, mut peer) = UnixStream::pair().unwrap();
        stream.set_nonblocking(true).unwrap();
        let noted = Noted {
            stream,
            calls,
            journal: Mutex::default(),
        };
        let serve = async {
            let socket = Registered::new(noted).unwrap();
            let mut buffer = [0; 4096];
            loop {
                let read = poll_fn(|cx| socket.poll_read(cx, &mut buffer));
                let length = read.await.unwrap();
                if length == 0 {
                    return socket.get_ref().journal.lock().unwrap().clone();
                }
                let write = poll_fn(|cx| {
                    socket.poll_io(Direction::Write, cx, |socket: &Noted| {
                        socket.note("write", (&socket.stream).write(&buffer[..length]))
                    })
                });
                assert_eq!(write.await.unwrap(), length);
            }
        };
        // Each time that the server has to wait, the peer does what is next.
        let peer = async {
            peer.write_all(&[7; 10]).unwrap();
            pending!();
            peer.write_all(&[7; 5]).unwrap();
            peer.shutdown(Shutdown::Write).unwrap();
        };
        let expected = [
            "read: would block",
            "epoll_wait",
            "read: 10",
            "write: 10",
            "epoll_wait",
            "read: 5",
            "write: 5",
            "read: 0",
        ];
        assert_eq!(runtime.block_on(async { join!(serve, peer).0 }), expected);
    });
}
