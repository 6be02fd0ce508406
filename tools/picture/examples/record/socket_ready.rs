//! Stage 09: a task reads from a socket, and its own executor's thread waits for the data. What no word of the stage says, words in
//! here do: whether the source is ready, what is in the kernel's buffer, and how often the kernel was asked to wait.

use std::{
    future::poll_fn,
    io::{self, Read, Write},
    os::{fd::AsFd, unix::net::UnixStream},
    sync::atomic::AtomicBool,
    task::{Context, Poll},
    thread,
    time::Duration,
};

use probe::{
    Recording, record,
    sync::atomic::{AtomicU64, Ordering::SeqCst},
    watch,
};
use step09_epoll_reactor::{
    BorrowedIo, Event, Key, Reactor, Registered, Runtime, Selector, Trigger, spawn, v2_epoll::Epoll,
};

use crate::SHORT;

#[derive(Debug, Default)]
struct Words {
    /// Whether a read is to be tried, and in the upper bits the number of reports so far.
    source: AtomicU64,
    /// How many bytes were sent and not read.
    buffer: AtomicU64,
    waits: AtomicU64,
    is_added: AtomicBool,
}

const READY: u64 = 1;
/// What a read leaves of the source's word if there was nothing to read, or if nothing is left.
const WOULD_BLOCK: u64 = !READY;
const IS_EMPTY: u64 = !READY;
const TICK: u64 = 1 << 16;

pub fn socket_ready() -> Recording {
    let (ours, mut peer) = UnixStream::pair().expect("two ends of a connection");
    ours.set_nonblocking(true).expect("the socket is open");
    let words: &Words = Box::leak(Box::default());
    let selector = Told(Epoll::new().expect("a descriptor for epoll"), words);
    let mut runtime = Runtime::with_reactor(Reactor::new(selector));
    let reads = async move {
        let socket = Registered::new(Socket(ours, words)).expect("epoll takes a socket");
        words.source.store(READY, SeqCst);
        // As it is added to epoll's list, the kernel reports that one could write.
        let is_added = |cx: &mut Context<'_>| {
            cx.waker().wake_by_ref();
            let is_added = words.is_added.load(SeqCst).then_some(());
            is_added.map_or(Poll::Pending, Poll::Ready)
        };
        poll_fn(is_added).await;
        let sent = words;
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
            // What the word says, the source says too.
            let word = words.source.load(SeqCst);
            let tick = Some(word / TICK).filter(|_| word & READY != 0);
            let wanted = tick.map_or("None".to_owned(), |tick| format!("Some(Ok(Tick({tick})))"));
            let (shown, wanted) = (format!("{socket:?}"), format!("), {wanted})"));
            assert!(shown.contains(&wanted), "{wanted}: {shown}");
            poll
        });
        let read = spawn(watch("task", read))
            .await
            .expect("the task does not panic");
        assert_eq!(read.expect("the socket is open"), 6);
        drop(peer.join());
    };
    record(|| runtime.block_on(reads))
}

/// A socket that says what its reads find.
#[derive(Debug)]
struct Socket(UnixStream, &'static Words);

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedIo<'_> {
        self.0.as_fd()
    }
}

impl Read for &Socket {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        let Words { source, buffer, .. } = self.1;
        let mut result = Ok(0);
        let room = space.len();
        let tried = buffer.fetch_update(SeqCst, SeqCst, |bytes| {
            result = (&self.0).read(space);
            result.as_ref().ok().map(|count| bytes - *count as u64)
        });
        if tried.is_err() {
            source.fetch_and(WOULD_BLOCK, SeqCst);
        } else if result.as_ref().is_ok_and(|count| *count < room) {
            source.fetch_and(IS_EMPTY, SeqCst);
        }
        result
    }
}

/// Passes every call on, and says what the kernel is asked and reports.
struct Told(Epoll, &'static Words);

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
