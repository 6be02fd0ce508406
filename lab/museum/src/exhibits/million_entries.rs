//! A task that is put into the queue by each of its wakes.
//!
//! A wake says that a poll is worthwhile. If it comes twice before the poll, one poll is still enough.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Sender},
    },
    task::{Wake, Waker},
};

use crate::{Breaks, Exhibit, Fails};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "million-entries",
    title: "each wake adds an entry to the queue",
    was_in: "document 002, its queue (D22); 004, mini-tokio (D45)",
    breaks: Breaks::Clause("a_million_wakes"),
    chapter: 4,
    fails: Fails::Prints("1,000,000 wakes before the next poll: 1,000,000 entries in the queue"),
    why: "memory grows with every wake, and then the task is polled a million times for nothing. The twin \
          has a flag that says whether the task is queued already. The executor clears it before it polls.",
    passes: "1,000,000 wakes before the next poll: 1 entry in the queue",
    broken: || show::<Broken>(),
    repaired: || show::<Repaired>(),
};

trait Queued: Wake + Send + Sync + Sized + 'static {
    fn new(queue: Sender<Arc<Self>>) -> Self;
}

// ANCHOR: broken
struct Broken {
    queue: Sender<Arc<Broken>>,
}

impl Wake for Broken {
    fn wake(self: Arc<Self>) {
        let _ = self.queue.send(Arc::clone(&self));
    }
}
// ANCHOR_END: broken

impl Queued for Broken {
    fn new(queue: Sender<Arc<Self>>) -> Self {
        Broken { queue }
    }
}

// ANCHOR: repaired
struct Repaired {
    queue: Sender<Arc<Repaired>>,
    is_queued: AtomicBool,
}

impl Wake for Repaired {
    fn wake(self: Arc<Self>) {
        if !self.is_queued.swap(true, Ordering::AcqRel) {
            let _ = self.queue.send(Arc::clone(&self));
        }
    }
}
// ANCHOR_END: repaired

impl Queued for Repaired {
    fn new(queue: Sender<Arc<Self>>) -> Self {
        let is_queued = AtomicBool::new(false);
        Repaired { queue, is_queued }
    }
}

fn show<T: Queued>() {
    let (sender, queue) = mpsc::channel();
    let waker = Waker::from(Arc::new(T::new(sender)));
    for _ in 0..1_000_000 {
        waker.wake_by_ref();
    }
    let entries = match queue.try_iter().count() {
        1 => "1 entry".to_owned(),
        1_000_000 => "1,000,000 entries".to_owned(),
        other => format!("{other} entries"),
    };
    println!("1,000,000 wakes before the next poll: {entries} in the queue");
}
