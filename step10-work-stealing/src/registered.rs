//! A socket together with its source. This is stage 09's `registered.rs`, and what is new is in `attempt`: a task whose budget is
//! spent is refused before it tries anything. The runtime is found by its handle here, and there is no constructor for a descriptor
//! that may block, because it would block a worker. What is between `ANCHOR: carried-…` and its end is the same as in stage 09.

use std::{
    io::{self, Read},
    mem,
    sync::Arc,
    task::{Context, Poll, ready},
};

use crate::selector::{AsIo, lend};
use crate::{Direction, Handle, Reactor, budget, readiness::Tick, source::Source};

/// An I/O object that the reactor watches. Dropping it ends that, and then closes the object.
///
/// Only one task at a time may wait in each direction. The types around it take care of that: each of their methods that
/// waits borrows them exclusively.
#[derive(Debug)]
pub struct Registered<T> {
    /// There is none once it is being dropped.
    io: Option<T>,
    source: Arc<Source>,
    reactor: Arc<Reactor>,
}

impl<T: AsIo + Send + Sync + 'static> Registered<T> {
    /// Registers a non-blocking object with the runtime of the calling thread. It is tried before it is waited for.
    ///
    /// # Errors
    ///
    /// If the system cannot watch it, or has no memory for it, or if the runtime has no reactor.
    pub fn new(io: T) -> io::Result<Registered<T>> {
        Registered::with(&Handle::current(), io, true)
    }

    /// As [`new`](Registered::new), but it is waited for before it is tried.
    ///
    /// # Errors
    ///
    /// As [`new`](Registered::new).
    pub fn not_ready(io: T) -> io::Result<Registered<T>> {
        Registered::with(&Handle::current(), io, false)
    }

    fn with(runtime: &Handle, io: T, ready: bool) -> io::Result<Registered<T>> {
        let reactor = runtime.0.reactor.clone().ok_or_else(|| {
            let none = "this runtime has no reactor, so it cannot wait for a descriptor";
            io::Error::new(io::ErrorKind::Unsupported, none)
        })?;
        let trigger = reactor.selector().trigger();
        // ANCHOR: carried-lend
        // SAFETY: the reactor uses it until it is deregistered, which `drop` does before it drops the object.
        #[expect(unsafe_code)]
        let descriptor = unsafe { lend(&io) };
        let source = reactor.register(descriptor, trigger, ready)?;
        // ANCHOR_END: carried-lend
        Ok(Registered {
            io: Some(io),
            source,
            reactor,
        })
    }

    // ANCHOR: carried-get_ref
    /// The object itself.
    pub fn get_ref(&self) -> &T {
        self.io.as_ref().expect("it is not being dropped")
    }
    // ANCHOR_END: carried-get_ref

    /// Reads as much as there is and `buffer` has room for, and returns the number of bytes. 0 is the end of the input. Waits
    /// while there is nothing.
    ///
    /// Only for an object of which a read that does not fill its buffer leaves nothing, such as a TCP connection or a pipe: no
    /// other read is tried before more arrives. A terminal returns one line for each read, and a Unix socket stops after a
    /// descriptor that was sent with the data. For these there is [`poll_io`](Registered::poll_io).
    ///
    /// ```
    /// use std::{future::poll_fn, io::Write, net};
    /// use step10_work_stealing::{Registered, Runtime};
    ///
    /// let listener = net::TcpListener::bind("127.0.0.1:0")?;
    /// let mut peer = net::TcpStream::connect(listener.local_addr()?)?;
    /// let (socket, _) = listener.accept()?;
    /// socket.set_nonblocking(true)?;
    /// peer.write_all(b"39")?;
    ///
    /// let mut buffer = [0; 8];
    /// let count = Runtime::new(2).block_on(async {
    ///     let socket = Registered::new(socket)?;
    ///     poll_fn(|cx| socket.poll_read(cx, &mut buffer)).await
    /// })?;
    /// assert_eq!(&buffer[..count], b"39");
    /// # std::io::Result::Ok(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`poll_io`](Registered::poll_io).
    // ANCHOR: carried-poll_read
    pub fn poll_read(&self, cx: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>>
    where
        for<'a> &'a T: Read,
    {
        // ANCHOR: read
        self.attempt(Direction::Read, cx, |mut io, tick| {
            let count = io.read(buffer)?;
            if count < buffer.len() {
                self.source.emptied(tick);
            }
            Ok(count)
        })
        // ANCHOR_END: read
    }
    // ANCHOR_END: carried-poll_read

    /// Tries `operation`, and waits while it would block. A task that has got much in one poll waits for its next turn.
    ///
    /// # Errors
    ///
    /// Those of `operation`, except for [`WouldBlock`](io::ErrorKind::WouldBlock) and
    /// [`Interrupted`](io::ErrorKind::Interrupted). Also if the runtime has been dropped.
    // ANCHOR: carried-poll_io
    pub fn poll_io<R>(
        &self,
        direction: Direction,
        cx: &mut Context<'_>,
        mut operation: impl FnMut(&T) -> io::Result<R>,
    ) -> Poll<io::Result<R>> {
        self.attempt(direction, cx, |io, _| operation(io))
    }
    // ANCHOR_END: carried-poll_io

    fn attempt<R>(
        &self,
        direction: Direction,
        cx: &mut Context<'_>,
        mut operation: impl FnMut(&T, Tick) -> io::Result<R>,
    ) -> Poll<io::Result<R>> {
        ready!(budget::check(cx));
        loop {
            let tick = ready!(self.source.poll_ready(direction, cx))?;
            match operation(self.get_ref(), tick) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.source.clear(direction, tick);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => {
                    budget::spend();
                    return Poll::Ready(result);
                }
            }
        }
    }
}

impl Handle {
    /// Registers a non-blocking object with this runtime.
    ///
    /// # Errors
    ///
    /// If the system cannot watch it, or has no memory for it, or if the runtime has no reactor or has been shut down.
    pub fn register<T: AsIo + Send + Sync + 'static>(&self, io: T) -> io::Result<Registered<T>> {
        Registered::with(self, io, true)
    }
}

// ANCHOR: carried-drop
impl<T> Drop for Registered<T> {
    fn drop(&mut self) {
        if self.reactor.deregister(&self.source).is_err() {
            mem::forget(self.io.take()); // still watched, so it stays open
        }
    }
}
// ANCHOR_END: carried-drop
