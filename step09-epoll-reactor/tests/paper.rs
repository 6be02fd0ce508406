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

use probe::within;
use step09_epoll_reactor::{
    BorrowedIo, Direction, Event, Key, Reactor, Registered, Runtime, Selector, Trigger,
    v2_epoll::Epoll,
};

const LIMIT: Duration = Duration::from_secs(10);

type Journal = Arc<Mutex<Vec<String>>>;

fn note(journal: &Journal, line: String) {
    journal.lock().unwrap().push(line);
}

/// Passes every call on, and writes it down. Before each wait that may sleep, the peer does what is next.
struct Watched {
    epoll: Epoll,
    journal: Journal,
    peer: Mutex<(UnixStream, usize)>,
}

impl Selector for Watched {
    fn trigger(&self) -> Trigger {
        self.epoll.trigger()
    }

    #[expect(unsafe_code)]
    unsafe fn add(&self, io: BorrowedIo<'_>, key: Key, trigger: Trigger) -> io::Result<()> {
        // SAFETY: `delete` is passed on, too.
        unsafe { self.epoll.add(io, key, trigger) }
    }

    fn arm(&self, io: BorrowedIo<'_>, interest: Event) -> io::Result<()> {
        note(&self.journal, "epoll_ctl".to_owned());
        self.epoll.arm(io, interest)
    }

    fn delete(&self, io: BorrowedIo<'_>) -> io::Result<()> {
        self.epoll.delete(io)
    }

    fn wait(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        let mut peer = self.peer.lock().unwrap();
        peer.1 += 1;
        match peer.1 {
            1 => peer.0.write_all(&[7; 10])?,
            2 => {
                peer.0.write_all(&[7; 5])?;
                peer.0.shutdown(Shutdown::Write)?;
            }
            _ => {}
        }
        let result = self.epoll.wait(timeout, events);
        note(&self.journal, format!("epoll_wait: {}", events.len()));
        result
    }

    fn notify(&self) -> io::Result<()> {
        self.epoll.notify()
    }
}

/// A socket that writes down what its reads return.
struct Noted {
    stream: UnixStream,
    journal: Journal,
}

impl AsFd for Noted {
    fn as_fd(&self) -> BorrowedIo<'_> {
        self.stream.as_fd()
    }
}

impl Read for &Noted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = (&self.stream).read(buffer);
        let says = result
            .as_ref()
            .map_or("would block".to_owned(), usize::to_string);
        note(&self.journal, format!("read: {says}"));
        result
    }
}

#[test]
fn each_call_that_the_executor_makes() {
    within(LIMIT, || {
        let journal = Journal::default();
        let (ours, peer) = UnixStream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        let selector = Watched {
            epoll: Epoll::new().unwrap(),
            journal: Arc::clone(&journal),
            peer: Mutex::new((peer, 0)),
        };
        let mut runtime = Runtime::with_reactor(Reactor::new(selector));
        runtime.block_on(async {
            let noted = Noted {
                stream: ours,
                journal: Arc::clone(&journal),
            };
            let socket = Registered::new(noted).unwrap();
            let mut buffer = [0; 4096];
            loop {
                let read = poll_fn(|cx| socket.poll_read(cx, &mut buffer));
                let length = read.await.unwrap();
                if length == 0 {
                    return;
                }
                let write = poll_fn(|cx| {
                    socket.poll_io(Direction::Write, cx, |socket: &Noted| {
                        note(&journal, format!("write: {length}"));
                        (&socket.stream).write(&buffer[..length])
                    })
                });
                assert_eq!(write.await.unwrap(), length);
            }
        });
        let expected = [
            "read: would block",
            "epoll_wait: 1",
            "read: 10",
            "write: 10",
            "epoll_wait: 1",
            "read: 5",
            "write: 5",
            "read: 0",
        ];
        assert_eq!(*journal.lock().unwrap(), expected);
    });
}
