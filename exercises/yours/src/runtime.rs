//! My runtime.
//!
//! This file is yours. `cargo run`, in the folder `exercises/yours`, says which rung is next, what it asks, and what is still wrong.
//! The names and signatures below are all that the checks know, so keep them; what stands behind them is your own design. Each
//! `todo!` names the rung at which it goes.
//!
//! Take locks, atomics, channels, `park` and the clock from `crate::sync`, and the wait in the kernel from `crate::given`. Both are
//! short: read them when you need them.

use std::{
    any::Any,
    future::Future,
    io,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use hyper::rt::{Read, ReadBufCursor, Write};

use crate::{given::AsSource, net::TcpStream};

/// How many rungs you have reached. `cargo test` is red if one of them breaks. Raise it when `cargo run` says so.
pub const REACHED: usize = 0;

/// What your design keeps differently on purpose: the name of a clause or a check, as the ladder prints it, and your reason. The
/// ladder doesn't count these, but says how many there are. For most designs the list stays empty.
pub const NOT_MINE: &[(&str, &str)] = &[];

// ---------------------------------------------------------------- rung 1: block_on

/// Your runtime. It is made, used and dropped on any thread.
pub struct Runtime {}

impl Runtime {
    /// Makes a runtime. Until rung 8 it has no worker but the thread that calls [`block_on`](Runtime::block_on), whatever the number
    /// says. No check asks for 0 workers: take it for 1, or panic as tokio does.
    pub fn new(workers: usize) -> Runtime {
        Runtime {}
    }

    /// Polls `root` on the calling thread until it is ready, and returns its output. While it is pending, the thread sleeps.
    ///
    /// `root` may borrow, and need not be `Send`. A panic of `root` comes out of this function. Another `block_on` may be called inside.
    pub fn block_on<F: Future>(&self, root: F) -> F::Output {
        todo!("rung 1: poll the root future, sleep until its waker is called, and poll it again")
    }
}

// ---------------------------------------------------------------- rung 2: tasks

/// Gives a task to the runtime whose `block_on` this thread is in. It panics on a thread that is in none.
///
/// The task is polled soon, and then whenever its waker was called, by any thread. When it is ready, it is dropped. `block_on` returns
/// when its root is ready, whatever the tasks do; what is left of them is dropped with the runtime.
pub fn spawn<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    todo!("rung 2: put the task where block_on finds it")
}

/// Waits for a task. Until rung 5, nobody asks it for anything. It is `Send` and `Sync` for every `T` that is `Send`.
pub struct JoinHandle<T> {
    output: PhantomData<fn() -> T>,
}

// ---------------------------------------------------------------- rungs 3 and 4: timers

/// Waits until this time has passed, counted from now. It is never ready too early. `Duration::MAX` is forever.
///
/// It is called inside `block_on` and inside tasks, so it may ask for the runtime of its thread. It may be polled and dropped anywhere.
/// At rung 3, each `sleep` may have a thread of its own, which its first poll starts. At rung 4 these threads go.
pub fn sleep(after: Duration) -> Sleep {
    todo!("rung 3: a thread that sleeps and then wakes; rung 4: no thread but the runtime's own")
}

/// The future of [`sleep`]. It does nothing before its first poll. It keeps the latest waker, and ready once, it stays ready. When its
/// runtime is gone, nobody waits for its deadline any more: it may stay pending for good, and must not panic.
pub struct Sleep {}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        todo!("rung 3")
    }
}

// ---------------------------------------------------------------- rung 5: handles

/// Why a task has no output.
pub enum JoinError {
    /// It has panicked, with this.
    Panic(Box<dyn Any + Send>),
    /// It was dropped before it was ready: by [`abort`](JoinHandle::abort), or with the runtime.
    Aborted,
}

/// Waits for the task's output, or the reason why there is none. By then the task itself is dropped. A poll after that may panic or be
/// pending. A handle that is dropped drops its waker, and leaves its task alone.
///
/// If the task is ready and then its destructor panics, the handle must be ready all the same. Whether it gives the output, the panic or
/// `Aborted` is up to you: tokio gives the panic.
impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        todo!("rung 5: take the result if it is there, or else leave a waker")
    }
}

// ---------------------------------------------------------------- rung 6: abort and shutdown

impl<T> JoinHandle<T> {
    /// Sees to it that the task is dropped soon, and not polled again, unless it is finished. It may be called on any thread, also inside
    /// the task's own poll, which then is its last.
    pub fn abort(&self) {
        todo!("rung 6: mark the task, and let the runtime drop it")
    }
}

// And when your Runtime is dropped, all of its tasks are. From rung 8 on, its `drop` waits for its threads, and so for the tasks that are
// being polled. A task may own the runtime. Then one of these threads drops it, and that one can't wait for itself.

// ---------------------------------------------------------------- rung 7: sockets

/// A socket that doesn't block, with what your runtime knows about it. It is made inside `block_on` and inside tasks.
pub struct Source<T: AsSource> {
    socket: T,
}

/// What a task waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Read,
    Write,
}

impl<T: AsSource> Source<T> {
    /// Has the socket watched by your runtime's poller: see `crate::given::Watched`.
    pub fn new(socket: T) -> io::Result<Source<T>> {
        todo!("rung 7: add the socket to the poller, in whose wait your runtime sleeps from now on")
    }

    /// The socket.
    pub fn get(&self) -> &T {
        &self.socket
    }

    /// Tries `operation`. If that would block, it returns `Pending` after it has seen to it that the task is woken when the socket is
    /// ready in this direction. One task may wait to read while another one waits to write.
    pub fn poll_io<R>(
        &self,
        direction: Direction,
        cx: &mut Context<'_>,
        operation: impl FnMut(&T) -> io::Result<R>,
    ) -> Poll<io::Result<R>> {
        todo!("rung 7: try; if it would block, leave the waker and ask the poller")
    }
}

// ---------------------------------------------------------------- rung 8: workers

/// Spawns from any thread.
#[derive(Clone)]
pub struct Handle {}

impl Runtime {
    /// What spawns on this runtime from anywhere.
    pub fn handle(&self) -> Handle {
        todo!("rung 8")
    }
}

impl Handle {
    /// Gives a task to the runtime. If that is dropped already, the task is dropped without a poll, and its handle says `Aborted`.
    pub fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        todo!("rung 8: as spawn, and wake a worker that sleeps")
    }
}

// ---------------------------------------------------------------- rung 9: HTTP

/// A connection as hyper wants it.
pub struct Http(pub TcpStream);

impl Read for Http {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        todo!("rung 9: read into a buffer of your own, and put_slice what has come")
    }
}

impl Write for Http {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        todo!("rung 9: pass it on")
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        todo!("rung 9: pass it on")
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        todo!("rung 9: pass it on")
    }
}
