//! s08h · repair · 12 minutes · chapter 08, "Deeper: many waiters"
//!
//! A program limits its connections to a database with this semaphore. Each request waits for a permit for five seconds at
//! most. Every few days the program stops: all requests wait, no connection is used, and `free` is 0.
//!
//! A permit that is given back is handed to the future that has waited longest. From then on it belongs to that future,
//! which learns of it in its next poll. Sometimes that poll never comes: by then the five seconds are over, and the task
//! drops the future.
//!
//! Repair `drop`. However a future ends, no permit may get lost, none may be added, and the task that drops the future
//! is not woken. A waker may use the semaphore, both when it is called and when it is dropped, so `drop` must hold no
//! lock then.
//!
//! Run: `cargo test --bin s08h_the_permit_of_the_cancelled`, or save this file while `rustlings` runs.
//! Red: a test says which futures waited, in which order things happened, and which permit is missing.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

/// Hands out permits, first come, first served. Clones share them.
#[derive(Clone)]
struct Semaphore(Arc<probe::Mutex<Waiters>>);

#[derive(Default)]
struct Waiters {
    /// Permits that can be taken. 0 as long as a future waits.
    free: usize,
    /// The futures that wait, by their tickets. A permit that is given back goes to the lowest ticket, which leaves this
    /// queue with it.
    queue: BTreeMap<u64, Waker>,
    /// The ticket that was given out last.
    latest: u64,
}

impl Semaphore {
    fn new(permits: usize) -> Semaphore {
        Semaphore(Arc::new(probe::Mutex::new(Waiters {
            free: permits,
            ..Waiters::default()
        })))
    }

    /// Returns a future that waits for a permit.
    fn acquire(&self) -> Acquire {
        let semaphore = self.clone();
        let state = State::NotPolled;
        Acquire { semaphore, state }
    }

    /// Hands one permit to the future that has waited longest. If none waits, the permit is free.
    fn release(&self) {
        let mut waiters = self.0.lock().unwrap();
        let longest = waiters.queue.pop_first();
        if longest.is_none() {
            waiters.free += 1;
        }
        drop(waiters);
        if let Some((_ticket, waker)) = longest {
            waker.wake();
        }
    }
}

/// A permit that a task holds.
struct Permit(Semaphore);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.release();
    }
}

struct Acquire {
    semaphore: Semaphore,
    state: State,
}

enum State {
    NotPolled,
    /// It has this ticket. If the ticket is no longer in the queue, a permit has been handed to this future.
    Queued(u64),
    /// The task has the permit.
    Done,
}

impl Future for Acquire {
    type Output = Permit;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Permit> {
        // Before the lock is taken, since the clone of a waker is code that we do not control.
        let waker = cx.waker().clone();
        let semaphore = self.semaphore.clone();
        let mut waiters = semaphore.0.lock().unwrap();
        let ticket = match self.state {
            State::NotPolled if waiters.free > 0 => {
                waiters.free -= 1;
                None
            }
            State::NotPolled => {
                waiters.latest += 1;
                Some(waiters.latest)
            }
            State::Queued(ticket) => waiters.queue.contains_key(&ticket).then_some(ticket),
            State::Done => panic!("polled after it was ready"),
        };
        let unneeded = match ticket {
            Some(ticket) => waiters.queue.insert(ticket, waker),
            None => Some(waker),
        };
        drop(waiters);
        drop(unneeded);
        self.state = ticket.map_or(State::Done, State::Queued);
        match ticket {
            Some(_) => Poll::Pending,
            None => Poll::Ready(Permit(semaphore)),
        }
    }
}

impl Drop for Acquire {
    fn drop(&mut self) {
        // TODO: the future gives up its place in the queue. Is that all it has?
        if let State::Queued(ticket) = self.state {
            let mut waiters = self.semaphore.0.lock().unwrap();
            let waker = waiters.queue.remove(&ticket);
            drop(waiters);
            drop(waker);
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s08h_the_permit_of_the_cancelled.rs"]
mod tests;
