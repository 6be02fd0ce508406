//! Given: the wait in the kernel, from rung 7 on. It is the crate `polling`, which has epoll on Linux, kqueue on macOS and IOCP on
//! Windows, behind two types that need no `unsafe` of yours.
//!
//! A poller is asked for each socket separately, and only once: what was reported is not reported again until it is asked for again.

use std::{io, ops::Deref, sync::Arc, time::Duration};

pub use polling::AsSource;
use polling::{Event, Events};

/// The place in the kernel where one thread sleeps until a socket is ready, a time has passed, or another thread notifies it.
#[derive(Clone, Debug)]
pub struct Poller(Arc<polling::Poller>);

/// A socket is ready. Both may be true.
#[derive(Clone, Copy, Debug)]
pub struct Ready {
    /// The number that its [`Watched`] was given.
    pub key: usize,
    /// A read would not block. It may still fail, or find the end.
    pub read: bool,
    /// A write would not block.
    pub write: bool,
}

impl Poller {
    /// Makes one, for which the kernel needs two or three descriptors.
    pub fn new() -> io::Result<Poller> {
        Ok(Poller(Arc::new(polling::Poller::new()?)))
    }

    /// Sleeps until a socket that was [asked for](Watched::ask) is ready, or [`notify`](Poller::notify) is called, or was called since
    /// the last wait; without a limit, forever. A signal may end it early. One thread at a time may wait.
    #[track_caller]
    pub fn wait(&self, limit: Option<Duration>) -> Vec<Ready> {
        #[cfg(feature = "judged")]
        steps::plan::step(if limit == Some(Duration::ZERO) {
            steps::plan::What::Look
        } else {
            steps::plan::What::Sleep
        });
        let mut events = Events::new();
        let _ = self.0.wait(&mut events, limit);
        #[cfg(feature = "judged")]
        steps::plan::is_woken();
        let ready = |event: Event| Ready {
            key: event.key,
            read: event.readable,
            write: event.writable,
        };
        events.iter().map(ready).collect()
    }

    /// Ends the wait of the thread that sleeps here, or else the next wait. This is a write to a descriptor, so it costs a system call.
    #[track_caller]
    pub fn notify(&self) {
        #[cfg(feature = "judged")]
        steps::plan::step(steps::plan::What::Notify);
        let _ = self.0.notify();
    }
}

/// A socket that a poller watches, under a number of yours. It reports nothing until it is [asked for](Watched::ask).
#[derive(Debug)]
pub struct Watched<T: AsSource> {
    socket: T,
    poller: Poller,
}

impl<T: AsSource> Watched<T> {
    /// Adds the socket, which must not block. No other socket of this poller may have the same number meanwhile.
    #[allow(
        unsafe_code,
        reason = "the only unsafe call of the package, so that yours needs none"
    )]
    pub fn new(socket: T, poller: &Poller, key: usize) -> io::Result<Watched<T>> {
        // SAFETY: a socket must be deleted from its poller before it is closed. It is owned here, and `drop` deletes it.
        unsafe { poller.0.add(&socket.source(), Event::none(key))? };
        Ok(Watched {
            socket,
            poller: poller.clone(),
        })
    }

    /// Asks for one report that the socket is ready in one of these directions, in place of what was asked for before. If it is ready
    /// already, it is reported at once.
    pub fn ask(&self, key: usize, read: bool, write: bool) -> io::Result<()> {
        self.poller
            .0
            .modify(&self.socket, Event::new(key, read, write))
    }
}

impl<T: AsSource> Deref for Watched<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.socket
    }
}

impl<T: AsSource> Drop for Watched<T> {
    fn drop(&mut self) {
        let _ = self.poller.0.delete(&self.socket);
    }
}
