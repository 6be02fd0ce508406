//! The kernel of s09c, which counts what it is asked.

use futures::channel::oneshot;
use std::{
    io, mem,
    net::UdpSocket,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};
use step09_epoll_reactor::{BorrowedIo, Event, Key, Registered, Selector, Trigger};

/// A read or a write that would block once.
pub(crate) fn ready_at_the_second_try() -> impl FnMut(&UdpSocket) -> io::Result<()> {
    let mut is_first = true;
    move |_| match mem::take(&mut is_first) {
        true => Err(io::ErrorKind::WouldBlock.into()),
        false => Ok(()),
    }
}

/// A kernel with one socket, which counts what it is asked, and is one-shot as in version 3. Clones of it are the same kernel.
#[derive(Clone, Default)]
pub(crate) struct Kernel(pub(crate) Arc<State>);

#[derive(Default)]
pub(crate) struct State {
    pub(crate) waits: AtomicUsize,
    pub(crate) notifies: AtomicUsize,
    pub(crate) armed: AtomicUsize,
    /// Another thread sends on these during the next sleep.
    pub(crate) outside: Mutex<Vec<oneshot::Sender<()>>>,
    /// What is to be reported.
    pub(crate) interest: Mutex<Option<Event>>,
}

impl Kernel {
    /// Registers a socket with the runtime.
    pub(crate) fn socket(&self) -> Registered<UdpSocket> {
        Registered::new(UdpSocket::bind(("127.0.0.1", 0)).unwrap()).unwrap()
    }
}

impl Selector for Kernel {
    fn trigger(&self) -> Trigger {
        Trigger::OneShot
    }

    unsafe fn add(&self, _: BorrowedIo<'_>, _: Key, _: Trigger) -> io::Result<()> {
        Ok(())
    }

    fn arm(&self, _: BorrowedIo<'_>, interest: Event) -> io::Result<()> {
        self.0.armed.fetch_add(1, SeqCst);
        *self.0.interest.lock().unwrap() = Some(interest);
        Ok(())
    }

    fn delete(&self, _: BorrowedIo<'_>) -> io::Result<()> {
        Ok(())
    }

    fn wait(&self, limit: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        self.0.waits.fetch_add(1, SeqCst);
        if limit.is_some() {
            return Ok(()); // only a look, and nothing has happened
        }
        for sender in self.0.outside.lock().unwrap().drain(..) {
            sender.send(()).unwrap(); // in place of another thread, while this one sleeps
        }
        // A report disarms the socket, in both directions.
        let interest = self.0.interest.lock().unwrap().take();
        events.extend(interest.map(|it| Event {
            write: it.write && !it.read,
            ..it
        }));
        Ok(())
    }

    fn notify(&self) -> io::Result<()> {
        self.0.notifies.fetch_add(1, SeqCst);
        Ok(())
    }
}
