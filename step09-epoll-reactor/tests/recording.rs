//! The run that the book shows: a task reads from a socket, and its own executor's thread waits for the data.

#![cfg(target_os = "linux")]
// Miri knows no epoll of this kind.
#![cfg(not(miri))]

use std::{
    future::poll_fn,
    io::{self, Read, Write},
    os::{fd::AsFd, unix::net::UnixStream},
    sync::{Arc, atomic::AtomicBool},
    task::{Context, Poll},
    thread,
    time::Duration,
};

use probe::{
    Lane, Recording, Run, Wording, record,
    sync::atomic::{AtomicU64, Ordering::SeqCst},
    watch,
};
use step09_epoll_reactor::{
    BorrowedIo, Event, Key, Reactor, Registered, Runtime, Selector, Trigger, spawn, v2_epoll::Epoll,
};

/// What must happen before it is over takes microseconds.
const SHORT: Duration = Duration::from_millis(10);

#[test]
#[ignore = "the order of events needs a machine that is not busy: `.ci/run` records it"]
fn the_recording_in_the_book_is_as_it_runs_now() {
    SOCKET_READY.check();
}

const SOCKET_READY: Run = Run {
    name: "run-09-socket-ready",
    title: "A socket becomes ready",
    caption: "The first read would block, so the task leaves its waker with the socket's source. Then the executor's thread sleeps in \
              the kernel. The peer's data ends that sleep: the kernel reports that there is something to read, and the source \
              notes it. The same thread calls the waker and polls again.",
    threads: &["main", "peer"],
    lanes: &[
        Lane::Thread("peer: another thread"),
        Lane::Thread("main: the executor's thread"),
        Lane::Counts(
            "recording.rs",
            &["ready", "tick"],
            "the socket's source: whether to try a read, and the reports so far",
        ),
        Lane::Counts(
            "recording.rs",
            &["bytes"],
            "the kernel's buffer: what was sent and not read",
        ),
        Lane::Wakers("its waker, in the source"),
        Lane::SharedQueue(&["read"], "the queue"),
        Lane::Task("`read`: a task"),
        Lane::Line(
            "words.source.store(READY, SeqCst);",
            "registers the socket, and a first read is to be tried",
        ),
        Lane::Line(
            "let tried = buffer.fetch_update(SeqCst, SeqCst, |bytes| {",
            "tries to read from the kernel's buffer",
        ),
        Lane::Line(
            "source.fetch_and(!READY, SeqCst); // it would block",
            "is told that it *would block*, so the source isn't ready",
        ),
        Lane::Line(
            "self.1.waits.fetch_add(1, SeqCst);",
            "asks the kernel what is ready, with `epoll_wait`",
        ),
        Lane::Line(
            "let _ = sent.buffer.fetch_update(SeqCst, SeqCst, send);",
            "*sends the data*, and the kernel keeps it",
        ),
        Lane::Line(
            "let _ = self.1.source.fetch_update(SeqCst, SeqCst, report);",
            "gets the kernel's *report* that the socket is readable, and the source counts it",
        ),
        Lane::Line(
            "source.fetch_and(!READY, SeqCst); // it is empty",
            "has got less than it had room for, so nothing is left to read",
        ),
    ],
    wording: Wording::Polls,
    record: socket_ready,
};

/// What the source must know, what the kernel has, and how often it was asked to wait.
#[derive(Debug, Default)]
struct Words {
    source: AtomicU64,
    buffer: AtomicU64,
    waits: AtomicU64,
    is_added: AtomicBool,
}

const READY: u64 = 1;
const TICK: u64 = 1 << 16;

fn socket_ready() -> Recording {
    let (ours, mut peer) = UnixStream::pair().expect("two ends of a connection");
    ours.set_nonblocking(true).expect("the socket is open");
    let words = Arc::new(Words::default());
    let selector = Told(Epoll::new().expect("a descriptor for epoll"), words.clone());
    let mut runtime = Runtime::with_reactor(Reactor::new(selector));
    record(|| {
        runtime.block_on(async {
            let socket =
                Registered::new(Socket(ours, words.clone())).expect("epoll takes a socket");
            words.source.store(READY, SeqCst);
            // As it is added to epoll's list, the kernel reports that one could write.
            let is_added = |cx: &mut Context<'_>| {
                cx.waker().wake_by_ref();
                if words.is_added.load(SeqCst) {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            };
            poll_fn(is_added).await;
            let sent = words.clone();
            let peer = thread::spawn(move || {
                thread::sleep(SHORT); // by then, there was nothing to read, and main sleeps
                // With the write inside, so that main hears of it later.
                let send =
                    |bytes| Some(bytes + peer.write(b"howdy!").expect("the socket is open") as u64);
                let _ = sent.buffer.fetch_update(SeqCst, SeqCst, send);
                peer // open until it has been read, because the end would be reported too
            });
            let read = poll_fn(move |cx| {
                let poll = socket.poll_read(cx, &mut [0; 16]);
                check(&socket);
                poll
            });
            let read = spawn(watch("read", read))
                .await
                .expect("the task does not panic");
            assert_eq!(read.expect("the socket is open"), 6);
            drop(peer.join());
        });
    })
}

/// The source itself says what is in the word.
fn check(socket: &Registered<Socket>) {
    let word = socket.get_ref().1.source.load(SeqCst);
    let answer = match word & READY {
        0 => "None".to_owned(),
        _ => format!("Some(Ok(Tick({})))", word / TICK),
    };
    let shown = format!("{socket:?}");
    assert!(
        shown.contains(&format!("), {answer})")),
        "{answer}: {shown}"
    );
}

/// A socket that says what its reads find.
#[derive(Debug)]
struct Socket(UnixStream, Arc<Words>);

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedIo<'_> {
        self.0.as_fd()
    }
}

impl Read for &Socket {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        let Words { source, buffer, .. } = &*self.1;
        let mut result = Ok(0);
        let room = space.len();
        let tried = buffer.fetch_update(SeqCst, SeqCst, |bytes| {
            result = (&self.0).read(space);
            result.as_ref().ok().map(|count| bytes - *count as u64)
        });
        if tried.is_err() {
            source.fetch_and(!READY, SeqCst); // it would block
        } else if result.as_ref().is_ok_and(|count| *count < room) {
            source.fetch_and(!READY, SeqCst); // it is empty
        }
        result
    }
}

/// Passes every call on, and says what the kernel is asked and reports.
struct Told(Epoll, Arc<Words>);

impl Selector for Told {
    fn trigger(&self) -> Trigger {
        self.0.trigger()
    }

    #[expect(unsafe_code)]
    unsafe fn add(&self, io: BorrowedIo<'_>, key: Key, trigger: Trigger) -> io::Result<()> {
        // SAFETY: `delete` is passed on, too.
        unsafe { self.0.add(io, key, trigger) }
    }

    fn arm(&self, io: BorrowedIo<'_>, interest: Event) -> io::Result<()> {
        self.0.arm(io, interest)
    }

    fn delete(&self, io: BorrowedIo<'_>) -> io::Result<()> {
        self.0.delete(io)
    }

    fn wait(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        if timeout.is_none() {
            self.1.waits.fetch_add(1, SeqCst);
        }
        let result = self.0.wait(timeout, events);
        let report = |word| Some((word | READY) + TICK);
        self.1.is_added.fetch_or(!events.is_empty(), SeqCst);
        if events.iter().any(|event| event.read) {
            let _ = self.1.source.fetch_update(SeqCst, SeqCst, report);
        }
        result
    }

    fn notify(&self) -> io::Result<()> {
        self.0.notify()
    }
}
