//! Many tasks wait for a few permits, in a line, and each permit that is given back goes to the first of them.
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

use crate::{contain::contain, sync::Mutex};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// Hands out permits, first come, first served. Clones share them.
///
/// No waker is cloned, called or dropped while the lock is held, and the panic of a waker that is called goes no further.
///
/// What a semaphore gives out owns a clone of it, so that tasks on any thread can keep it.
#[derive(Clone)]
// ANCHOR: struct
pub struct Semaphore {
    line: Arc<Mutex<Line>>,
}

#[derive(Default)]
struct Line {
    /// Permits that can be taken. 0 as long as a future is in the line.
    free: usize,
    /// The futures in the line, by their numbers. A future that has left this map, and was not
    /// dropped, has been handed a permit.
    waiting: BTreeMap<u64, Waker>,
    /// The number of the future that joined the line last.
    latest: u64,
}
// ANCHOR_END: struct

impl Semaphore {
    /// A semaphore with so many permits.
    pub fn new(permits: usize) -> Semaphore {
        let line = Line {
            free: permits,
            ..Line::default()
        };
        Semaphore {
            line: Arc::new(Mutex::new(line)),
        }
    }

    /// A future that waits for a permit. It joins the line at its first poll, unless a permit is free then.
    ///
    /// Dropping it early is safe: it leaves the line, and if a permit had been handed to it already, the permit goes to
    /// the next future.
    pub fn acquire(&self) -> Acquire {
        Acquire {
            semaphore: self.clone(),
            turn: Turn::NotPolled,
        }
    }

    /// How many permits can be taken now. 0 as long as a future is in the line.
    pub fn available(&self) -> usize {
        self.line.lock().expect(UNPOISONED).free
    }

    /// Adds permits and hands them to the futures in the line. There are never more than `usize::MAX`.
    // ANCHOR: add_permits
    pub fn add_permits(&self, permits: usize) {
        let mut line = self.line.lock().expect(UNPOISONED);
        line.free = line.free.saturating_add(permits);
        let handed: Vec<_> = (0..line.free)
            .map_while(|_| line.waiting.pop_first())
            .collect();
        line.free -= handed.len();
        drop(line);
        for (_, waker) in handed {
            // A waker may panic, and there are others to call.
            contain(|| waker.wake());
        }
    }
    // ANCHOR_END: add_permits
}

impl Line {
    /// Whether this future has its permit: it was handed one, or takes one that is free.
    // ANCHOR: admit
    fn admit(&mut self, turn: &mut Turn) -> bool {
        match turn {
            Turn::NotPolled if self.free > 0 => self.free -= 1,
            Turn::Waiting(number) if !self.waiting.contains_key(number) => {}
            _ => return false,
        }
        *turn = Turn::Over;
        true
    }
    // ANCHOR_END: admit

    /// Puts this future into the line, or keeps it in its place. Returns the waker of its earlier poll.
    // ANCHOR: join
    fn join(&mut self, turn: &mut Turn, waker: Waker) -> Option<Waker> {
        let number = match *turn {
            Turn::Waiting(number) => number,
            _ => {
                self.latest += 1;
                self.latest
            }
        };
        *turn = Turn::Waiting(number);
        self.waiting.insert(number, waker)
    }
    // ANCHOR_END: join
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
    turn: Turn,
}

#[derive(Debug, PartialEq)]
enum Turn {
    /// Not in the line yet.
    NotPolled,
    /// In the line with this number, or handed a permit, if the line does not have the number.
    Waiting(u64),
    /// The permit has been returned to the caller.
    Over,
}
// ANCHOR_END: acquire

impl Future for Acquire {
    type Output = Permit;

    // ANCHOR: poll
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Permit> {
        let Acquire { semaphore, turn } = &mut *self;
        assert!(*turn != Turn::Over, "polled after it returned its permit");
        if semaphore.line.lock().expect(UNPOISONED).admit(turn) {
            return Poll::Ready(Permit(Some(semaphore.clone())));
        }
        // The lock is free here, because the clone of a waker may run any code.
        let waker = cx.waker().clone();
        let mut line = semaphore.line.lock().expect(UNPOISONED);
        // A permit may have come in between.
        if line.admit(turn) {
            drop(line);
            let permit = Permit(Some(semaphore.clone()));
            drop(waker); // and if that panics, the permit is given back
            return Poll::Ready(permit);
        }
        let earlier = line.join(turn, waker);
        drop(line);
        drop(earlier);
        Poll::Pending
    }
    // ANCHOR_END: poll
}

// ANCHOR: drop
impl Drop for Acquire {
    fn drop(&mut self) {
        if let Turn::Waiting(number) = self.turn {
            let mut line = self.semaphore.line.lock().expect(UNPOISONED);
            let waker = line.waiting.remove(&number);
            drop(line);
            // Not in the line: it was handed a permit, which is the next future's now.
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
        let line = self.line.lock().expect(UNPOISONED);
        let (free, waiting) = (line.free, line.waiting.len());
        drop(line); // because this writes by code that we do not control
        write!(f, "Semaphore({free} free, {waiting} waiting)")
    }
}
