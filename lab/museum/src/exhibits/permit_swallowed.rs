//! A semaphore hands a permit to a future, and the future is dropped before it is polled again.
//!
//! `select` and a timeout drop futures at any moment, so this one too: when the future is no longer in the line, and has
//! not returned its permit to a caller yet.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use futures::{executor::block_on, future::join};

use crate::{Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "permit-swallowed",
    title: "a future is dropped with the permit that it was handed",
    was_in: "futures-locks 0.1.0 (asomers/futures-locks#1); here as the smallest semaphore that does it",
    breaks: "a future that is dropped gives back everything it was given, polled or not",
    chapter: 8,
    fails: Fails::Hangs("returned Pending, and its waker was not called after that"),
    why: "the permit was handed to `first`, and `first` was dropped before its next poll. Only a `Permit` gives a \
          permit back, and `first` had not made one yet. The fixed version finds that it is no longer in the line, \
          so it was handed a permit, and passes that on.",
    passes: "the second one has the permit",
    broken: || show(Swallows),
    repaired: || show(PassesOn),
};

#[derive(Default)]
struct Semaphore {
    line: Mutex<Line>,
}

#[derive(Default)]
struct Line {
    free: usize,
    /// The futures in the line. A future that has left this map, and was not dropped, has been handed a permit.
    waiting: BTreeMap<u64, Waker>,
}

impl Semaphore {
    fn give_back(&self) {
        let mut line = self.line.lock().unwrap();
        let first = line.waiting.pop_first();
        if first.is_none() {
            line.free += 1;
        }
        drop(line);
        if let Some((_, waker)) = first {
            waker.wake();
        }
    }
}

struct Permit(Arc<Semaphore>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.give_back();
    }
}

/// In the line from the start, because no permit is free.
struct Acquire {
    semaphore: Arc<Semaphore>,
    /// `None` once it has returned its permit.
    number: Option<u64>,
}

impl Acquire {
    fn new(semaphore: &Arc<Semaphore>, number: u64) -> Acquire {
        let mut line = semaphore.line.lock().unwrap();
        line.waiting.insert(number, Waker::noop().clone());
        Acquire {
            semaphore: Arc::clone(semaphore),
            number: Some(number),
        }
    }

    /// Takes this future out of the line. `None` if it is not there.
    fn leave(&self, number: u64) -> Option<Waker> {
        self.semaphore.line.lock().unwrap().waiting.remove(&number)
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Permit> {
        let number = self.number.expect("not polled after it was ready");
        let waker = cx.waker().clone();
        let mut line = self.semaphore.line.lock().unwrap();
        if !line.waiting.contains_key(&number) {
            self.number = None;
            return Poll::Ready(Permit(Arc::clone(&self.semaphore)));
        }
        let earlier = line.waiting.insert(number, waker);
        drop(line);
        drop(earlier);
        Poll::Pending
    }
}

// ANCHOR: broken
struct Swallows(Acquire);

impl Drop for Swallows {
    fn drop(&mut self) {
        if let Some(number) = self.0.number {
            drop(self.0.leave(number));
        }
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
struct PassesOn(Acquire);

impl Drop for PassesOn {
    fn drop(&mut self) {
        if let Some(number) = self.0.number {
            if self.0.leave(number).is_none() {
                self.0.semaphore.give_back();
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

fn show<A: Future<Output = Permit>>(with_drop: fn(Acquire) -> A) {
    let semaphore = Arc::<Semaphore>::default();
    let held = Permit(Arc::clone(&semaphore));
    let second = probe::watch("second", with_drop(Acquire::new(&semaphore, 2)));
    let first = probe::watch("first", with_drop(Acquire::new(&semaphore, 1)));
    // The second one is polled, and waits, before the permit is given back.
    let gives_up = async {
        drop(held);
        drop(first);
    };
    block_on(join(second, gives_up));
    println!("the second one has the permit");
}
