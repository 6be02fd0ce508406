//! Stage 09: a task reads from a socket on another thread than the executor's. The kernel's report comes after the read would have blocked
//! and before the task clears `ready`. So that it comes just then, the first read returns only once the reactor has passed the report on.
//! What no word of the stage says, words in here do: whether the source is ready, its tick, and what is in the kernel's buffer.

use std::{
    future::{Future, poll_fn},
    io::{self, Read, Write},
    os::{fd::AsFd, unix::net::UnixStream},
    sync::{
        atomic::{AtomicBool, AtomicUsize},
        mpsc,
    },
    task::{Context, Poll, Waker},
    thread,
    time::{Duration, Instant},
};

use futures::channel::oneshot;
use probe::{
    Recording, record,
    sync::atomic::{AtomicU64, Ordering::SeqCst},
    watch,
};
use step09_epoll_reactor::{
    BorrowedIo, Event, Key, Reactor, Registered, Runtime, Selector, Trigger, v2_epoll::Epoll,
};

use crate::{SHORT, compute_until};

#[derive(Debug, Default)]
struct Words {
    /// Whether a read is to be tried.
    ready: AtomicU64,
    /// The number of reports so far.
    tick: AtomicU64,
    /// How many bytes were sent and not read.
    buffer: AtomicU64,
    /// How many reads would have blocked.
    blocked: AtomicU64,
    /// How many clears have come too late.
    refused: AtomicU64,
    is_added: AtomicBool,
    /// How often the executor's thread has gone to sleep without a limit.
    sleeps: AtomicUsize,
}

const SET: u64 = 1;
/// What a read leaves of `ready` if nothing is left to read.
const EMPTIED: u64 = 0;

pub fn socket_ready() -> Recording {
    let (ours, mut peer) = UnixStream::pair().expect("two ends of a connection");
    ours.set_nonblocking(true).expect("the socket is open");
    let words: &Words = Box::leak(Box::default());
    let selector = Told(Epoll::new().expect("a descriptor for epoll"), words);
    let mut runtime = Runtime::with_reactor(Reactor::new(selector));
    let (would_block, is_time_to_send) = mpsc::channel();
    let peer = thread::spawn(move || {
        is_time_to_send.recv().expect("the first read would block");
        // With the write inside, so that main hears of it later.
        let send = |bytes| Some(bytes + peer.write(b"howdy!").expect("the socket is open") as u64);
        let _ = words.buffer.fetch_update(SeqCst, SeqCst, send);
        peer // open until it has been read, because the end would be reported too
    });
    let reads = async move {
        let socket = Socket(ours, words, would_block);
        let socket = Registered::new(socket).expect("epoll takes a socket");
        words.ready.store(SET, SeqCst);
        // As it is added to epoll's list, the kernel reports that one could write.
        let is_added = |cx: &mut Context<'_>| {
            cx.waker().wake_by_ref();
            let is_added = words.is_added.load(SeqCst).then_some(());
            is_added.map_or(Poll::Pending, Poll::Ready)
        };
        poll_fn(is_added).await;
        let (done, is_done) = oneshot::channel();
        let mut task = Box::pin(watch("task", read(socket, words)));
        let reader = thread::spawn(move || {
            thread::sleep(SHORT); // by then, main sleeps
            // The first clear is refused, so the task tries again, and needs no waker.
            let poll = task.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            let Poll::Ready(count) = poll else {
                panic!("the report was lost");
            };
            done.send(count.expect("the socket is open"))
                .expect("main waits for it");
        });
        assert_eq!(is_done.await, Ok(6));
        reader.join().expect("it does not panic");
        drop(peer.join());
    };
    record(|| runtime.block_on(reads))
}

fn read(socket: Registered<Socket>, words: &Words) -> impl Future<Output = io::Result<usize>> {
    poll_fn(move |cx| {
        let poll = socket.poll_read(cx, &mut [0; 16]);
        // What the words say, the source says too.
        assert_eq!(words.ready.load(SeqCst), EMPTIED);
        let shown = format!("{socket:?}");
        assert!(shown.contains("), None)"), "{shown}");
        poll
    })
}

/// A socket that says what its reads find.
#[derive(Debug)]
struct Socket(UnixStream, &'static Words, mpsc::Sender<()>);

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedIo<'_> {
        self.0.as_fd()
    }
}

impl Read for &Socket {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        let Words {
            ready,
            tick,
            buffer,
            blocked,
            refused,
            sleeps,
            ..
        } = self.1;
        if tick.load(SeqCst) > 0 {
            // It is tried once more in the same poll, so `ready` is still set.
            refused.fetch_add(1, SeqCst);
        }
        let mut result = Ok(0);
        let room = space.len();
        let tried = buffer.fetch_update(SeqCst, SeqCst, |bytes| {
            result = (&self.0).read(space);
            result.as_ref().ok().map(|count| bytes - *count as u64)
        });
        if tried.is_err() {
            blocked.fetch_add(1, SeqCst);
            self.2.send(()).expect("the peer waits for it");
            // The reactor has passed the report on before it sleeps again, which takes so long that it is seen.
            compute_until(|| sleeps.load(SeqCst) > 1);
            let begun = Instant::now();
            compute_until(|| begun.elapsed() > SHORT);
        } else if result.as_ref().is_ok_and(|count| *count < room) {
            ready.store(EMPTIED, SeqCst);
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
        let Words {
            ready,
            tick,
            is_added,
            sleeps,
            ..
        } = self.1;
        sleeps.fetch_add(usize::from(timeout.is_none()), SeqCst);
        let result = self.0.wait(timeout, events);
        is_added.fetch_or(!events.is_empty(), SeqCst);
        if events.iter().any(|event| event.read) {
            assert_eq!(ready.load(SeqCst), SET);
            tick.fetch_add(1, SeqCst);
        }
        result
    }

    fn notify(&self) -> io::Result<()> {
        self.0.notify()
    }
}
