//! Many tasks wait in a queue for a few permits, and each permit that is given back goes to the first of them.
//!
//! ```
//! use futures::executor::block_on;
//! use step08_join_handle::semaphore::Semaphore;
//!
//! block_on(async {
//!     let semaphore = Semaphore::new(2);
//!     let first = semaphore.acquire().await;
//!     let _second = semaphore.acquire().await;
//!     assert_eq!(semaphore.available(), 0);
//!     drop(first);
//!     assert_eq!(semaphore.available(), 1);
//! });
//! ```

use std::{
    collections::BTreeMap,
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use crate::{contain::contain, lock::lock, sync::Mutex};

/// Hands out permits, first come, first served. Clones share them.
///
/// No waker is cloned, called or dropped while the lock is held, and the panic of a waker that is called goes no further.
///
/// What a semaphore gives out owns a clone of it, so that tasks on any thread can keep it.
#[derive(Clone)]
// ANCHOR: struct
pub struct Semaphore(Arc<Mutex<Waiters>>);

#[derive(Default)]
struct Waiters {
    /// Permits that can be taken. 0 as long as a future waits.
    free: usize,
    /// The futures that wait, by their tickets, of which the lowest is served first. A future
    /// that has left this queue, and was not dropped, has been handed a permit.
    queue: BTreeMap<u64, Waker>,
    /// The ticket of the future that was enqueued last.
    latest: u64,
}
// ANCHOR_END: struct

impl Semaphore {
    /// Creates a semaphore with this number of permits.
    pub fn new(permits: usize) -> Semaphore {
        let semaphore = Semaphore(Arc::default());
        semaphore.add_permits(permits);
        semaphore
    }

    /// Returns a future that waits for a permit. It is enqueued at its first poll, unless a permit is free then.
    ///
    /// Dropping it early is safe: it leaves the queue, and if a permit had been handed to it already, the permit goes to
    /// the next future.
    pub fn acquire(&self) -> Acquire {
        Acquire {
            semaphore: self.clone(),
            state: State::NotPolled,
        }
    }

    /// The number of permits that can be taken now. 0 as long as a future waits.
    pub fn available(&self) -> usize {
        lock(&self.0).free
    }

    /// Adds permits and hands them to the futures that wait. There are never more than `usize::MAX`.
    // ANCHOR: add_permits
    pub fn add_permits(&self, permits: usize) {
        let mut waiters = lock(&self.0);
        waiters.free = waiters.free.saturating_add(permits);
        let handed: Vec<_> = (0..waiters.free)
            .map_while(|_| waiters.queue.pop_first())
            .collect();
        waiters.free -= handed.len();
        drop(waiters);
        for (_, waker) in handed {
            // A waker may panic, and there are others to call.
            contain(|| waker.wake());
        }
    }
    // ANCHOR_END: add_permits
}

impl Waiters {
    /// Whether this future has its permit: it was handed one, or takes one that is free.
    // ANCHOR: try_acquire
    fn try_acquire(&mut self, state: &mut State) -> bool {
        match state {
            State::NotPolled if self.free > 0 => self.free -= 1,
            State::Queued(ticket) if !self.queue.contains_key(ticket) => {}
            _ => return false,
        }
        *state = State::Done;
        true
    }
    // ANCHOR_END: try_acquire

    /// Puts this future into the queue, or keeps it in its place. Returns the waker of its earlier poll.
    // ANCHOR: enqueue
    fn enqueue(&mut self, state: &mut State, waker: Waker) -> Option<Waker> {
        let ticket = match *state {
            State::Queued(ticket) => ticket,
            _ => {
                self.latest += 1;
                self.latest
            }
        };
        *state = State::Queued(ticket);
        self.queue.insert(ticket, waker)
    }
    // ANCHOR_END: enqueue
}

/// A future that waits for a permit. Made by [`acquire`](Semaphore::acquire).
///
/// # Panics
///
/// Polling it after it was ready panics.
#[derive(Debug)]
#[must_use = "a future does nothing until it is polled"]
// ANCHOR: acquire
pub struct Acquire {
    semaphore: Semaphore,
    state: State,
}

#[derive(Debug, PartialEq)]
enum State {
    NotPolled,
    /// In the queue with this ticket, or handed a permit, if the queue does not have the ticket.
    Queued(u64),
    /// The permit has been returned to the caller.
    Done,
}
// ANCHOR_END: acquire

impl Future for Acquire {
    type Output = Permit;

    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Permit> {
        let Acquire { semaphore, state } = &mut *self;
        assert!(*state != State::Done, "polled after it returned its permit");
        if lock(&semaphore.0).try_acquire(state) {
            return Poll::Ready(Permit(Some(semaphore.clone())));
        }
        // The lock is free here, because the clone of a waker may run any code.
        let waker = cx.waker().clone();
        let mut waiters = lock(&semaphore.0);
        // A permit may have come in between.
        if waiters.try_acquire(state) {
            drop(waiters);
            let permit = Permit(Some(semaphore.clone()));
            drop(waker); // and if that panics, the permit is given back
            return Poll::Ready(permit);
        }
        let earlier = waiters.enqueue(state, waker);
        drop(waiters);
        drop(earlier);
        Poll::Pending
    }
    // ANCHOR_END: poll
}

// ANCHOR: drop
impl Drop for Acquire {
    fn drop(&mut self) {
        if let State::Queued(ticket) = self.state {
            let mut waiters = lock(&self.semaphore.0);
            let waker = waiters.queue.remove(&ticket);
            drop(waiters);
            // Not in the queue: it was handed a permit, which is the next future's now.
            if waker.is_none() {
                self.semaphore.add_permits(1);
            }
        }
    }
}
// ANCHOR_END: drop

/// One permit of a [`Semaphore`], which is given back when this is dropped.
#[derive(Debug)]
#[must_use = "a permit that is dropped is given back"]
// ANCHOR: permit
pub struct Permit(Option<Semaphore>);

impl Permit {
    /// Takes the permit away from its semaphore for good.
    pub fn forget(mut self) {
        self.0 = None;
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(semaphore) = self.0.take() {
            semaphore.add_permits(1);
        }
    }
}
// ANCHOR_END: permit

impl fmt::Debug for Semaphore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let free = self.available();
        write!(f, "Semaphore({free} free)")
    }
}
