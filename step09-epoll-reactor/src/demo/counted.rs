//! A selector that counts what it is asked.

use std::{
    io,
    ops::Sub,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use step09_epoll_reactor::{BorrowedIo, Event, Key, Reactor, Runtime, Selector, Trigger};

/// Passes every call on to another selector, and counts it.
pub struct Counted<S> {
    selector: S,
    calls: Arc<Calls>,
}

/// What a selector has been asked so far.
#[derive(Default)]
pub struct Calls {
    adds: AtomicUsize,
    deletes: AtomicUsize,
    arms: AtomicUsize,
    waits: AtomicUsize,
    events: AtomicUsize,
    notifies: AtomicUsize,
}

/// What a selector was asked until a certain moment, or between two.
#[derive(Clone, Copy)]
pub struct Asked {
    /// Descriptors that were added.
    pub adds: usize,
    /// Descriptors that were deleted.
    pub deletes: usize,
    /// Calls that ask for one more report of a one-shot descriptor.
    pub arms: usize,
    /// Waits that have begun.
    pub waits: usize,
    /// What those waits have reported.
    pub events: usize,
    /// Calls that end a wait.
    pub notifies: usize,
}

impl<S: Selector + 'static> Counted<S> {
    /// A runtime that sleeps in this selector, and what the selector is asked.
    pub fn runtime(selector: S) -> (Runtime, Arc<Calls>) {
        let calls = Arc::new(Calls::default());
        let counted = Counted {
            selector,
            calls: Arc::clone(&calls),
        };
        (Runtime::with_reactor(Reactor::new(counted)), calls)
    }
}

impl Calls {
    pub fn so_far(&self) -> Asked {
        let load = |calls: &AtomicUsize| calls.load(Ordering::Relaxed);
        Asked {
            adds: load(&self.adds),
            deletes: load(&self.deletes),
            arms: load(&self.arms),
            waits: load(&self.waits),
            events: load(&self.events),
            notifies: load(&self.notifies),
        }
    }
}

impl Sub for Asked {
    type Output = Asked;

    fn sub(self, earlier: Asked) -> Asked {
        Asked {
            adds: self.adds - earlier.adds,
            deletes: self.deletes - earlier.deletes,
            arms: self.arms - earlier.arms,
            waits: self.waits - earlier.waits,
            events: self.events - earlier.events,
            notifies: self.notifies - earlier.notifies,
        }
    }
}

fn add(calls: &AtomicUsize, more: usize) {
    calls.fetch_add(more, Ordering::Relaxed);
}

impl<S: Selector> Selector for Counted<S> {
    fn trigger(&self) -> Trigger {
        self.selector.trigger()
    }

    #[expect(unsafe_code)]
    unsafe fn add(&self, io: BorrowedIo<'_>, key: Key, trigger: Trigger) -> io::Result<()> {
        // SAFETY: the caller keeps the promise, and every call is passed on.
        unsafe { self.selector.add(io, key, trigger) }?;
        add(&self.calls.adds, 1);
        Ok(())
    }

    fn arm(&self, io: BorrowedIo<'_>, interest: Event) -> io::Result<()> {
        add(&self.calls.arms, 1);
        self.selector.arm(io, interest)
    }

    fn delete(&self, io: BorrowedIo<'_>) -> io::Result<()> {
        add(&self.calls.deletes, 1);
        self.selector.delete(io)
    }

    fn wait(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        add(&self.calls.waits, 1);
        let before = events.len();
        let result = self.selector.wait(timeout, events);
        add(&self.calls.events, events.len() - before);
        result
    }

    fn notify(&self) -> io::Result<()> {
        add(&self.calls.notifies, 1);
        self.selector.notify()
    }
}
