//! A thief that claims a task by moving the head of the queue, and then reads the task from its place.
//!
//! The queue is a ring. Once the head has moved, the place counts as free, and the owner may write the next task into it
//! before the thief has read the old one.

use loom::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
};

use crate::{Exhibit, Fails, props::in_every_order_says};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "read-after-the-claim",
    title: "a thief reads a stolen task after the owner may have overwritten it",
    was_in: "ssbl/concurrent-deque (its #2); tokio before 0.2.17, where a place could be overwritten before the thief was done (#2382, #2387)",
    breaks: "each task that is pushed into a queue is popped or stolen once",
    chapter: 10,
    fails: Fails::Loom("tasks [1, 2, 3] were pushed, and [2, 3, 3] were run"),
    why: "the thief moved the head past task 1. The owner saw a free place, and wrote task 3 into it. Then the \
          thief read that place. So task 1 is lost, and task 3 is run by both. The fixed version reads first. If \
          its claim succeeds, the head had not moved, so the owner had no right to write. If the claim fails, the \
          fixed version throws away what it has read.",
    passes: "each task is run once in each of 6 orders",
    broken: || show(steal_broken),
    repaired: || show(steal_repaired),
};

const PLACES: usize = 2;

/// The owner pushes at the tail. Everyone takes from the head. Both numbers only grow.
#[derive(Default)]
struct Ring {
    tasks: [AtomicUsize; PLACES],
    head: AtomicUsize,
    tail: AtomicUsize,
}

impl Ring {
    /// Called by the owner alone. Returns `false` if there is no free place.
    fn push(&self, task: usize) -> bool {
        let (head, tail) = (self.head.load(SeqCst), self.tail.load(SeqCst));
        if tail - head == PLACES {
            return false;
        }
        self.place(tail).store(task, SeqCst);
        self.tail.store(tail + 1, SeqCst);
        true
    }

    fn place(&self, index: usize) -> &AtomicUsize {
        &self.tasks[index % PLACES]
    }
}

// ANCHOR: broken
fn steal_broken(ring: &Ring) -> Option<usize> {
    loop {
        let head = ring.head.load(SeqCst);
        if head == ring.tail.load(SeqCst) {
            return None;
        }
        let claim = ring.head.compare_exchange(head, head + 1, SeqCst, SeqCst);
        if claim.is_ok() {
            return Some(ring.place(head).load(SeqCst));
        }
    }
}
// ANCHOR_END: broken

// ANCHOR: repaired
fn steal_repaired(ring: &Ring) -> Option<usize> {
    loop {
        let head = ring.head.load(SeqCst);
        if head == ring.tail.load(SeqCst) {
            return None;
        }
        let task = ring.place(head).load(SeqCst);
        let claim = ring.head.compare_exchange(head, head + 1, SeqCst, SeqCst);
        if claim.is_ok() {
            return Some(task);
        }
    }
}
// ANCHOR_END: repaired

type Steal = fn(&Ring) -> Option<usize>;

/// The ring is full when the thief comes and the owner pushes one more.
fn show(steal: Steal) {
    in_every_order_says("each task is run once", move || {
        let ring = Arc::new(Ring::default());
        assert!(ring.push(1) && ring.push(2));
        let owns = Arc::clone(&ring);
        let owner = thread::spawn(move || owns.push(3));
        let mut run = Vec::from_iter(steal(&ring));
        if !owner.join().unwrap() {
            run.push(3); // there was no place for it, so the owner runs it itself
        }
        while let Some(task) = steal(&ring) {
            run.push(task);
        }
        run.sort_unstable();
        if run[..] == [1, 2, 3] {
            Ok(())
        } else {
            Err(format!("tasks [1, 2, 3] were pushed, and {run:?} were run"))
        }
    });
}
