//! tokio behind the same names: a right runtime that the ladder must not refuse. What its design keeps differently is listed.

use std::{
    any::Any,
    future::Future,
    io,
    os::fd::{AsRawFd, RawFd},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use futures_io::{AsyncRead, AsyncWrite};
use hyper::rt::{Read, ReadBufCursor, Write};
use tokio::{io::unix::AsyncFd, runtime};

use crate::{given::AsSource, net::TcpStream};

pub const REACHED: usize = 9;

const OWN_LOCKS: &str = "tokio has locks of its own, which the ladder can't stop at";

pub const NOT_MINE: &[(&str, &str)] = &[
    ("root_woken_at_any_moment", OWN_LOCKS),
    ("polled_during_a_wake", OWN_LOCKS),
    ("task_woken_at_any_moment", OWN_LOCKS),
    ("task_polled_during_a_wake", OWN_LOCKS),
    ("two_at_the_same_instant", "tokio has a clock of its own"),
    ("sleep_polled_at_any_moment", OWN_LOCKS),
    ("handle_polled_at_any_moment", OWN_LOCKS),
    ("aborted_at_every_step", OWN_LOCKS),
    ("socket_ready_at_any_moment", OWN_LOCKS),
    ("spawned_at_any_moment", OWN_LOCKS),
    ("two_spawned_at_any_moment", OWN_LOCKS),
    ("dropped_at_any_moment", OWN_LOCKS),
    (
        "dropped_by_its_own_task",
        "tokio forbids that: a drop of the runtime on one of its own threads panics, and says so",
    ),
    (
        "somebody_waits_in_the_kernel",
        "the worker that has waited in the kernel polls its one task itself, and wakes no other worker to wait there meanwhile",
    ),
    (
        "spawned_and_waited_for",
        "a task that was woken last stays in its worker's slot",
    ),
];

pub struct Runtime(runtime::Runtime);

impl Runtime {
    pub fn new(workers: usize) -> Runtime {
        let mut builder = runtime::Builder::new_multi_thread();
        let built = builder.worker_threads(workers).enable_all().build();
        Runtime(built.expect("the system has threads left"))
    }

    pub fn block_on<F: Future>(&self, root: F) -> F::Output {
        self.0.block_on(root)
    }

    pub fn handle(&self) -> Handle {
        Handle(self.0.handle().clone())
    }
}

#[derive(Clone)]
pub struct Handle(runtime::Handle);

impl Handle {
    pub fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        JoinHandle(self.0.spawn(task))
    }
}

pub fn spawn<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    JoinHandle(tokio::spawn(task))
}

pub struct JoinHandle<T>(tokio::task::JoinHandle<T>);

pub enum JoinError {
    Panic(Box<dyn Any + Send>),
    Aborted,
}

impl<T> JoinHandle<T> {
    pub fn abort(&self) {
        self.0.abort();
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let joined = ready!(Pin::new(&mut self.0).poll(cx));
        Poll::Ready(joined.map_err(|error| match error.try_into_panic() {
            Ok(panic) => JoinError::Panic(panic),
            Err(_) => JoinError::Aborted,
        }))
    }
}

pub struct Sleep(Pin<Box<tokio::time::Sleep>>);

pub fn sleep(after: Duration) -> Sleep {
    Sleep(Box::pin(tokio::time::sleep(after)))
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.0.as_mut().poll(cx)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Read,
    Write,
}

struct Descriptor<T>(T);

impl<T: AsSource> AsRawFd for Descriptor<T> {
    fn as_raw_fd(&self) -> RawFd {
        self.0.source().as_raw_fd()
    }
}

pub struct Source<T: AsSource>(AsyncFd<Descriptor<T>>);

impl<T: AsSource> Source<T> {
    pub fn new(socket: T) -> io::Result<Source<T>> {
        AsyncFd::new(Descriptor(socket)).map(Source)
    }

    pub fn get(&self) -> &T {
        &self.0.get_ref().0
    }

    pub fn poll_io<R>(
        &self,
        direction: Direction,
        cx: &mut Context<'_>,
        mut operation: impl FnMut(&T) -> io::Result<R>,
    ) -> Poll<io::Result<R>> {
        loop {
            let mut guard = ready!(match direction {
                Direction::Read => self.0.poll_read_ready(cx),
                Direction::Write => self.0.poll_write_ready(cx),
            })?;
            if let Ok(result) = guard.try_io(|fd| operation(&fd.get_ref().0)) {
                return Poll::Ready(result);
            }
        }
    }
}

/// A connection as hyper wants it.
pub struct Http(pub TcpStream);

impl Read for Http {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut to: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        // Not into hyper's own buffer, which may be uninitialized.
        let mut buffer = [0; 8192];
        let most = buffer.len().min(to.remaining());
        let count = ready!(Pin::new(&mut self.0).poll_read(cx, &mut buffer[..most]))?;
        to.put_slice(&buffer[..count]);
        Poll::Ready(Ok(()))
    }
}

impl Write for Http {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, data)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_close(cx)
    }
}
