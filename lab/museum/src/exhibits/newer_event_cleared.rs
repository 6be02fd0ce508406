//! A future that finds nothing to read, and then clears the flag that said there was something.
//!
//! Between the two steps an event may come and set the flag again. Edge-triggered epoll reports these bytes only once, so
//! if the future clears the flag now, the event is lost. It woke no task, because the waker is stored later.

use std::task::{Poll, Waker};

use loom::{sync::Arc, thread};
use probe::CountingWaker;

use crate::{Exhibit, Fails, orders::Mutex, props::in_every_order};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "newer-event-cleared",
    title: "a future clears the readiness of an event that came after its read",
    was_in: "tokio before its #6134, whose tick came round after 256 turns (#6133); here as the smallest source \
             that does it",
    breaks: "A future that returns Pending has made sure that a wake will come.",
    chapter: 9,
    fails: Fails::Loom("it is Pending, and no wake will come"),
    why: "the read found nothing. Then the bytes came, and with them the event, which set the flag and found no \
          waker. Then the future cleared the flag, stored its waker and returned Pending. The fixed version counts \
          the events in a tick, and clears the flag only if the tick is still what it was before the read.",
    passes: "ready or woken in each of 34 orders",
    broken: || show(clear_broken),
    repaired: || show(clear_repaired),
};

#[derive(Default)]
struct Source {
    /// What the kernel has.
    bytes: Mutex<usize>,
    readiness: Mutex<Readiness>,
}

#[derive(Default)]
struct Readiness {
    ready: bool,
    /// How many events there were. Only the fixed version reads it.
    tick: usize,
    waker: Option<Waker>,
}

// ANCHOR: broken
fn clear_broken(readiness: &mut Readiness, _before_the_read: usize) {
    readiness.ready = false;
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn clear_repaired(readiness: &mut Readiness, before_the_read: usize) {
    if readiness.tick == before_the_read {
        readiness.ready = false;
    }
}
// ANCHOR_END: repaired

type Clear = fn(&mut Readiness, usize);

// ANCHOR: source
impl Source {
    fn poll_read(&self, waker: &Waker, clear: Clear) -> Poll<()> {
        loop {
            let mut readiness = self.readiness.lock().unwrap();
            if !readiness.ready {
                readiness.waker = Some(waker.clone());
                return Poll::Pending;
            }
            let tick = readiness.tick;
            drop(readiness);
            if self.read() {
                return Poll::Ready(());
            }
            clear(&mut self.readiness.lock().unwrap(), tick);
        }
    }

    /// False: it would block.
    fn read(&self) -> bool {
        let mut bytes = self.bytes.lock().unwrap();
        let is_there = *bytes > 0;
        *bytes = 0;
        is_there
    }

    /// What the reactor does for an event.
    fn report(&self) {
        let mut readiness = self.readiness.lock().unwrap();
        readiness.ready = true;
        readiness.tick += 1;
        let waker = readiness.waker.take();
        drop(readiness);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
// ANCHOR_END: source

fn show(clear: Clear) {
    in_every_order(move || {
        let counting = CountingWaker::new();
        let source = Arc::new(Source::default());
        // An earlier event, whose bytes have been read.
        source.report();
        let other = Arc::clone(&source);
        let kernel_and_reactor = thread::spawn(move || {
            *other.bytes.lock().unwrap() += 1;
            other.report();
        });
        let poll = source.poll_read(&counting.waker(), clear);
        kernel_and_reactor.join().unwrap();
        poll.is_ready() || counting.wakes() > 0
    });
}
