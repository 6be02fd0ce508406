//! A selector that counts what the kernel is asked.

use std::{
    fmt, io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use step09_epoll_reactor::{BorrowedIo, Event, Key, Reactor, Runtime, Selector, Trigger};

/// What a [`Selector`] is asked and what it reports. Clones share the counts.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// Calls that ask for one more report of a one-shot descriptor.
    pub arms: Count,
    pub waits: Count,
    /// What the waits have reported.
    pub events: Count,
    /// Calls that end a wait.
    pub notifies: Count,
}

/// A number that goes up.
#[derive(Debug, Clone, Default)]
pub struct Count(Arc<AtomicUsize>);

impl Counts {
    /// A runtime on this selector, with its calls counted.
    pub fn runtime(&self, selector: impl Selector + 'static) -> Runtime {
        Runtime::with_reactor(Reactor::new(Counted {
            selector,
            counts: self.clone(),
        }))
    }
}

impl Count {
    pub fn add_one(&self) {
        self.add(1);
    }

    fn add(&self, more: usize) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

struct Counted<S> {
    selector: S,
    counts: Counts,
}

impl<S: Selector> Selector for Counted<S> {
    fn trigger(&self) -> Trigger {
        self.selector.trigger()
    }

    fn add(&self, io: BorrowedIo<'_>, key: Key, trigger: Trigger) -> io::Result<()> {
        self.selector.add(io, key, trigger)
    }

    fn arm(&self, io: BorrowedIo<'_>, interest: Event) -> io::Result<()> {
        self.counts.arms.add_one();
        self.selector.arm(io, interest)
    }

    fn delete(&self, io: BorrowedIo<'_>) -> io::Result<()> {
        self.selector.delete(io)
    }

    fn wait(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        self.counts.waits.add_one();
        let before = events.len();
        let result = self.selector.wait(timeout, events);
        self.counts.events.add(events.len() - before);
        result
    }

    fn notify(&self) -> io::Result<()> {
        self.counts.notifies.add_one();
        self.selector.notify()
    }
}
