//! A socket, or what else has a descriptor, together with its source.

use std::{
    io::{self, Read},
    mem,
    sync::Arc,
    task::{Context, Poll, ready},
};

use crate::{
    AsIo, Direction, Event, Handle, Reactor, Trigger,
    reactor::{readiness::Tick, selector::lend, source::Source},
};

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
    /// The descriptor may block, so one event allows for one operation.
    once_per_event: bool,
}

impl<T: AsIo + Send + Sync + 'static> Registered<T> {
    /// Registers a non-blocking object with the runtime of the calling thread. It is tried before it is waited for.
    ///
    /// # Errors
    ///
    /// If the system cannot watch it, or has no memory for it, or if the runtime has no reactor.
    ///
    /// # Panics
    ///
    /// If the thread is not in [`block_on`](crate::block_on).
    pub fn new(io: T) -> io::Result<Registered<T>> {
        Handle::current().register(io)
    }

    /// As [`new`](Registered::new), but it is waited for before it is tried.
    ///
    /// # Errors
    ///
    /// As [`new`](Registered::new).
    pub fn not_ready(io: T) -> io::Result<Registered<T>> {
        let reactor = Handle::current().reactor()?;
        let trigger = reactor.selector().trigger();
        Registered::with(reactor, io, trigger, false)
    }

    /// As [`not_ready`](Registered::not_ready), but the object may be a blocking one. It is tried once after each event,
    /// and must not try more than one event allows for: one `read`.
    ///
    /// # Errors
    ///
    /// As [`new`](Registered::new).
    pub fn blocking(io: T) -> io::Result<Registered<T>> {
        let reactor = Handle::current().reactor()?;
        let mut registered = Registered::with(reactor, io, Trigger::OneShot, false)?;
        registered.once_per_event = true;
        // Arm it and take that back at once, because kqueue says only now that it does not watch
        // it, such as /dev/tty on macOS. The executor's thread is here, so no wait reports it in between.
        let source = &registered.source;
        for read in [true, false] {
            let interest = Event {
                key: source.key,
                read,
                write: false,
                ended: false,
            };
            registered.reactor.selector().arm(source.io, interest)?;
        }
        Ok(registered)
    }

    fn with(
        reactor: Arc<Reactor>,
        io: T,
        trigger: Trigger,
        ready: bool,
    ) -> io::Result<Registered<T>> {
        // ANCHOR: lend
        // SAFETY: the reactor uses it until it is deregistered, which `drop` does before it drops the object.
        #[expect(unsafe_code)]
        let descriptor = unsafe { lend(&io) };
        let source = reactor.register(descriptor, trigger, ready)?;
        // ANCHOR_END: lend
        Ok(Registered {
            io: Some(io),
            source,
            reactor,
            once_per_event: false,
        })
    }

    // ANCHOR: get_ref
    /// The object itself.
    pub fn get_ref(&self) -> &T {
        self.io.as_ref().expect("it is not being dropped")
    }
    // ANCHOR_END: get_ref

    /// Reads as much as there is and `buffer` has room for, and returns the number of bytes. 0 is the end of the input. Waits
    /// while there is nothing.
    ///
    /// Only for an object of which a read that does not fill its buffer leaves nothing, such as a TCP connection or a pipe: no
    /// other read is tried before more arrives. A terminal returns one line for each read, and a Unix socket stops after a
    /// descriptor that was sent with the data. For these there is [`poll_io`](Registered::poll_io).
    ///
    /// ```
    /// use std::{future::poll_fn, io::Write, net};
    /// use step09_epoll_reactor::{Registered, block_on};
    ///
    /// let listener = net::TcpListener::bind("127.0.0.1:0")?;
    /// let mut peer = net::TcpStream::connect(listener.local_addr()?)?;
    /// let (socket, _) = listener.accept()?;
    /// socket.set_nonblocking(true)?;
    /// peer.write_all(b"39")?;
    ///
    /// let mut buffer = [0; 8];
    /// let count = block_on(async {
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
    // ANCHOR: poll_read
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
    // ANCHOR_END: poll_read

    /// Tries `operation`, and waits while it would block.
    ///
    /// # Errors
    ///
    /// Those of `operation`, except for [`WouldBlock`](io::ErrorKind::WouldBlock) and
    /// [`Interrupted`](io::ErrorKind::Interrupted). Also if the runtime has been dropped.
    // ANCHOR: poll_io
    pub fn poll_io<R>(
        &self,
        direction: Direction,
        cx: &mut Context<'_>,
        mut operation: impl FnMut(&T) -> io::Result<R>,
    ) -> Poll<io::Result<R>> {
        self.attempt(direction, cx, |io, _| operation(io))
    }
    // ANCHOR_END: poll_io

    // ANCHOR: attempt
    fn attempt<R>(
        &self,
        direction: Direction,
        cx: &mut Context<'_>,
        mut operation: impl FnMut(&T, Tick) -> io::Result<R>,
    ) -> Poll<io::Result<R>> {
        loop {
            let tick = ready!(self.poll_ready(direction, cx))?;
            match operation(self.get_ref(), tick) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.source.clear(direction, tick);
                }
                // A signal has ended the call, so try again.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return Poll::Ready(result),
            }
        }
    }
    // ANCHOR_END: attempt

    /// Ready if the operation may be tried.
    fn poll_ready(&self, direction: Direction, cx: &mut Context<'_>) -> Poll<io::Result<Tick>> {
        let tick = ready!(self.source.poll_ready(direction, cx))?;
        if self.once_per_event {
            // Even an interrupted try uses the event up: it blocked, so another process has taken the data.
            self.source.clear(direction, tick);
        }
        Poll::Ready(Ok(tick))
    }
}

impl Handle {
    /// Registers a non-blocking object with this runtime, as [`Registered::new`] does.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn register<T: AsIo + Send + Sync + 'static>(&self, io: T) -> io::Result<Registered<T>> {
        let reactor = self.reactor()?;
        let trigger = reactor.selector().trigger();
        Registered::with(reactor, io, trigger, true)
    }

    /// The reactor, where descriptors are registered.
    fn reactor(&self) -> io::Result<Arc<Reactor>> {
        let none = "this runtime has no reactor, so it cannot wait for a descriptor";
        let reactor = self.shared().reactor.clone();
        reactor.ok_or_else(|| io::Error::new(io::ErrorKind::Unsupported, none))
    }
}

// ANCHOR: drop
impl<T> Drop for Registered<T> {
    fn drop(&mut self) {
        if self.reactor.deregister(&self.source).is_err() {
            mem::forget(self.io.take()); // still watched, so it stays open
        }
    }
}
// ANCHOR_END: drop
