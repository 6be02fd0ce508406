//! A semaphore hands a permit to a future, and the future is dropped before it is polled again.
//!
//! `select` and a timeout drop futures at any moment, so this one too: when the future is no longer in the queue, and has
//! not returned its permit to a caller yet.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use futures::{FutureExt, executor::block_on, future::join};

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "permit-swallowed",
    title: "a future is dropped with the permit that it was handed",
    was_in: "futures-locks 0.1.0 (asomers/futures-locks#1); here as the smallest semaphore that does it",
    breaks: "a future that is dropped gives back everything it was given, polled or not",
    chapter: 8,
    fails: Fails::Hangs("returned Pending, and waits for an event that has not come"),
    why: "the permit was handed to `first`, and `first` was dropped before its next poll. Only a `Permit` gives a \
          permit back, and `first` had not made one yet. The fixed version finds that it is no longer in the queue, \
          so it was handed a permit, and passes that on.",
    passes: "the second one has the permit",
    broken: || show(Swallows),
    repaired: || show(PassesOn),
};

#[derive(Default)]
struct Semaphore {
    waiters: Mutex<Waiters>,
}

#[derive(Default)]
struct Waiters {
    free: usize,
    /// The futures that wait, by their tickets. A future that has left this queue, and was not dropped, has been handed a permit.
    queue: BTreeMap<u64, Waker>,
}

impl Semaphore {
    // ANCHOR: hands_over
    fn add_permit(&self) {
        let mut waiters = self.waiters.lock().unwrap();
        let first = waiters.queue.pop_first();
        if first.is_none() {
            waiters.free += 1;
        }
        drop(waiters);
        if let Some((_, waker)) = first {
            waker.wake();
        }
    }
    // ANCHOR_END: hands_over
}

struct Permit(Arc<Semaphore>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.add_permit();
    }
}

/// In the queue from the start, because no permit is free.
struct Acquire {
    semaphore: Arc<Semaphore>,
    /// `None` once it has returned its permit.
    ticket: Option<u64>,
}

impl Acquire {
    fn new(semaphore: &Arc<Semaphore>, ticket: u64) -> Acquire {
        let mut waiters = semaphore.waiters.lock().unwrap();
        waiters.queue.insert(ticket, Waker::noop().clone());
        Acquire {
            semaphore: Arc::clone(semaphore),
            ticket: Some(ticket),
        }
    }

    /// Takes this future out of the queue. `None` if it is not there.
    fn remove(&self, ticket: u64) -> Option<Waker> {
        self.semaphore.waiters.lock().unwrap().queue.remove(&ticket)
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Permit> {
        let ticket = self.ticket.expect("not polled after it was ready");
        let waker = cx.waker().clone();
        let mut waiters = self.semaphore.waiters.lock().unwrap();
        if !waiters.queue.contains_key(&ticket) {
            self.ticket = None;
            return Poll::Ready(Permit(Arc::clone(&self.semaphore)));
        }
        let earlier = waiters.queue.insert(ticket, waker);
        drop(waiters);
        drop(earlier);
        Poll::Pending
    }
}

// ANCHOR: broken
struct Swallows(Acquire);

impl Drop for Swallows {
    fn drop(&mut self) {
        if let Some(ticket) = self.0.ticket {
            drop(self.0.remove(ticket));
        }
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
struct PassesOn(Acquire);

impl Drop for PassesOn {
    fn drop(&mut self) {
        if let Some(ticket) = self.0.ticket {
            if self.0.remove(ticket).is_none() {
                self.0.semaphore.add_permit();
            }
        }
    }
}
// ANCHOR_END: repaired

impl Future for Swallows {
    type Output = Permit;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Permit> {
        self.0.poll(cx)
    }
}

impl Future for PassesOn {
    type Output = Permit;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Permit> {
        self.0.poll(cx)
    }
}

fn show<A: Future<Output = Permit> + Unpin>(with_drop: fn(Acquire) -> A) {
    let semaphore = Arc::<Semaphore>::default();
    let held = Permit(Arc::clone(&semaphore));
    let mut first = probe::watch("first", with_drop(Acquire::new(&semaphore, 1)));
    let second = probe::watch("second", with_drop(Acquire::new(&semaphore, 2)));
    // The first one waits. Its waker wakes no task, because nothing will poll it again.
    let poll = first.poll_unpin(&mut Context::from_waker(Waker::noop()));
    assert!(poll.is_pending(), "no permit is free");
    // The second one is polled, and waits, before the permit is released.
    let gives_up = async {
        drop(held);
        drop(first);
    };
    block_on(join(second, gives_up));
    println!("the second one has the permit");
}
