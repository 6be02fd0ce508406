//! A selector that counts the calls of another.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use step09_epoll_reactor::{BorrowedIo, Event, Key, Selector, Trigger};

pub struct Counted<S> {
    inner: S,
    trigger: Trigger,
    counts: Counts,
}

#[derive(Clone, Default)]
pub struct Counts(Arc<[AtomicUsize; 4]>);

const ADDS: usize = 0;
const DELETES: usize = 1;
const WAITS: usize = 2;
const NOTIFIES: usize = 3;

impl Counts {
    fn count(&self, call: usize) {
        self.0[call].fetch_add(1, SeqCst);
    }

    /// The waits that have begun.
    pub fn waits(&self) -> usize {
        self.0[WAITS].load(SeqCst)
    }

    pub fn notifies(&self) -> usize {
        self.0[NOTIFIES].load(SeqCst)
    }

    /// The descriptors that are watched.
    pub fn watched(&self) -> usize {
        self.0[ADDS].load(SeqCst) - self.0[DELETES].load(SeqCst)
    }
}

impl<S: Selector> Counted<S> {
    pub fn new(inner: S) -> (Counted<S>, Counts) {
        let counts = Counts::default();
        let counted = Counted {
            trigger: inner.trigger(),
            inner,
            counts: counts.clone(),
        };
        (counted, counts)
    }

    /// The same, but it watches sockets in this way.
    #[cfg(target_os = "linux")]
    pub fn with_trigger(self, trigger: Trigger) -> Counted<S> {
        Counted { trigger, ..self }
    }
}

impl<S: Selector> Selector for Counted<S> {
    fn trigger(&self) -> Trigger {
        self.trigger
    }

    #[expect(unsafe_code)]
    unsafe fn add(&self, io: BorrowedIo<'_>, key: Key, trigger: Trigger) -> io::Result<()> {
        // SAFETY: `delete` is passed on, too.
        unsafe { self.inner.add(io, key, trigger) }?;
        self.counts.count(ADDS);
        Ok(())
    }

    fn arm(&self, io: BorrowedIo<'_>, interest: Event) -> io::Result<()> {
        self.inner.arm(io, interest)
    }

    fn delete(&self, io: BorrowedIo<'_>) -> io::Result<()> {
        self.counts.count(DELETES);
        self.inner.delete(io)
    }

    fn wait(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        self.counts.count(WAITS);
        self.inner.wait(timeout, events)
    }

    fn notify(&self) -> io::Result<()> {
        self.counts.count(NOTIFIES);
        self.inner.notify()
    }
}
