//! The order of polls of the exercise on paper in chapter 10: one worker, a slot and a queue.

#![cfg(not(miri))] // it borrows nothing that `runtime.rs` doesn't

use std::{
    future::poll_fn,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
    time::Duration,
};

use probe::within;
use step10_work_stealing::{Runtime, Version, spawn};

const LIMIT: Duration = Duration::from_secs(10);

/// After so many polls the tasks end.
const POLLS: usize = 12;

/// What the tasks share.
#[derive(Clone, Default)]
struct Known {
    order: Arc<Mutex<String>>,
    p: Arc<Mutex<Option<Waker>>>,
    q: Arc<Mutex<Option<Waker>>>,
}

impl Known {
    /// Notes a poll, unless enough have been noted.
    fn note(&self, task: char) -> Poll<()> {
        let mut order = self.order.lock().unwrap();
        if order.len() == POLLS {
            return Poll::Ready(());
        }
        order.push(task);
        Poll::Pending
    }

    /// Leaves a waker in the first place, and wakes what is in the second.
    fn meet(
        &self,
        task: char,
        cx: &Context<'_>,
        [mine, other]: [&Mutex<Option<Waker>>; 2],
    ) -> Poll<()> {
        *mine.lock().unwrap() = Some(cx.waker().clone());
        let other = other.lock().unwrap().clone();
        other.inspect(Waker::wake_by_ref);
        self.note(task)
    }
}

/// The order of the first polls, and how many of them were of a task from the slot.
fn run(version: Version) -> (String, u64) {
    let runtime = Runtime::with_version(1, version);
    let known = Known::default();
    let (at_y, at_p, at_q) = (known.clone(), known.clone(), known.clone());
    let first = runtime.spawn(async move {
        let y = spawn(poll_fn(move |cx| {
            cx.waker().wake_by_ref();
            at_y.note('Y')
        }));
        let p = spawn(poll_fn(move |cx| at_p.meet('P', cx, [&at_p.p, &at_p.q])));
        let q = spawn(poll_fn(move |cx| at_q.meet('Q', cx, [&at_q.q, &at_q.p])));
        [y, p, q]
    });
    runtime.block_on(async {
        for task in first.await.unwrap() {
            task.await.unwrap();
        }
    });
    let order = known.order.lock().unwrap().clone();
    (order, runtime.metrics()[0].slot_polls)
}

#[test]
fn the_order_of_the_polls_with_a_slot() {
    let (order, slot_polls) = within(LIMIT, || run(Version::LifoSlot));
    assert_eq!(order, "QYPQPQYPQPQY");
    assert!(slot_polls >= 7, "{slot_polls}");
}

#[test]
fn the_order_of_the_polls_without_a_slot() {
    for version in [
        Version::SharedQueue,
        Version::LocalQueues,
        Version::Stealing,
    ] {
        let (order, slot_polls) = within(LIMIT, || run(version));
        assert_eq!(
            (order.as_str(), slot_polls),
            ("YPQYPYQYPYQY", 0),
            "{version:?}"
        );
    }
}
