//! Pending is a promise: a wake will come, and it will go to the right one.

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, PoisonError, mpsc},
    task::{Context, Wake, Waker},
    time::Duration,
};

use super::timers::{SOON, waiting};
use crate::{
    Answer, BoxFuture, Check, Clause, Edition, Leaf, Level, caught, fault::LeafFault,
    wake_counter::WakeCounter,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "pending_is_a_promise",
        edition: Edition::E1,
        rule: "A future that returns Pending has made sure that a wake will come.",
        why: "The executor polls only tasks that were woken. Without the wake, the task waits forever.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            pending_is_a_promise,
            &[(LeafFault::KeepsNoWaker, "it hangs")],
        ),
    },
    Clause {
        name: "the_latest_waker",
        edition: Edition::E1,
        rule: "The waker of the latest poll is woken.",
        why: "The future may have moved to another task since its first poll, and then it is that task that has to be woken.",
        level: Level::MOST_RECENT,
        choice: None,
        check: Check::Leaf(
            the_latest_waker,
            &[(LeafFault::KeepsTheFirstWaker, "it hangs")],
        ),
    },
    Clause {
        name: "handed_back",
        edition: Edition::E1,
        rule: "A future that was polled by task A, then by task B, then by task A again, wakes task A.",
        why: "The new waker must be compared with the waker that is kept now, rather than with the first one.",
        level: Level::MOST_RECENT,
        choice: None,
        check: Check::Leaf(
            handed_back,
            &[(LeafFault::ComparesWithTheFirst, "it hangs")],
        ),
    },
    Clause {
        name: "no_wake_without_news",
        edition: Edition::E1,
        rule: "The future does not wake its task before it can be ready.",
        why: "A leaf future that wakes in each poll keeps every executor busy, however well that executor sleeps.",
        level: Level::Quality,
        choice: Some(
            "A future that wakes in each poll keeps the promise of a wake. It is slow rather than wrong.",
        ),
        check: Check::Leaf(
            no_wake_without_news,
            &[(LeafFault::WakesInEachPoll, "polls for one result")],
        ),
    },
    Clause {
        name: "dropped_in_its_wake",
        edition: Edition::E1,
        rule: "The wake may drop the very future that wakes.",
        why: "A waker is code you don't control. A lock that is held while it runs is held during everything that it may do.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            dropped_in_its_wake,
            &[
                (LeafFault::WakesUnderItsLock, "it hangs"),
                (LeafFault::WakesWhileBorrowed, "its drop panics"),
            ],
        ),
    },
];

/// Polled whenever it is woken, and not otherwise, a timer is ready in the end.
pub fn pending_is_a_promise(leaf: &'static dyn Leaf) -> Answer {
    WakeCounter::new().finish(&mut leaf.timer(SOON)?);
    Ok(())
}

/// A timer is polled by one task and then by another. The other is woken.
pub fn the_latest_waker(leaf: &'static dyn Leaf) -> Answer {
    let mut timer = waiting(leaf, SOON, &WakeCounter::new())?;
    WakeCounter::new().finish(&mut timer);
    Ok(())
}

/// A timer is polled by one task, by another and by the first again. That one is woken.
pub fn handed_back(leaf: &'static dyn Leaf) -> Answer {
    let (one, other) = (WakeCounter::new(), WakeCounter::new());
    let mut timer = waiting(leaf, SOON, &one)?;
    if other.poll(&mut timer).is_pending() {
        one.finish(&mut timer);
    }
    Ok(())
}

/// A timer of 20 ms is polled whenever it is woken. That may take three polls.
pub fn no_wake_without_news(leaf: &'static dyn Leaf) -> Answer {
    let polls = WakeCounter::new().finish(&mut leaf.timer(SOON)?);
    assert!(polls <= 3, "{polls} polls for one result");
    Ok(())
}

struct DropsTheTimer {
    timer: Mutex<Option<BoxFuture>>,
    /// With the message, if the drop has panicked.
    woken: mpsc::Sender<Result<(), String>>,
}

impl Wake for DropsTheTimer {
    fn wake(self: Arc<Self>) {
        // In a poll of the timer no other thread can have it, and the lock is taken.
        let timer = self
            .timer
            .try_lock()
            .ok()
            .and_then(|mut timer| timer.take());
        let _ = self.woken.send(caught(AssertUnwindSafe(|| drop(timer))));
    }
}

/// A timer's waker drops that timer. One that is over before its first poll wakes nobody, so a longer one follows it.
pub fn dropped_in_its_wake(leaf: &'static dyn Leaf) -> Answer {
    let mut after = SOON;
    while !was_dropped_in_its_wake(leaf, after)? {
        after *= 2;
        assert!(after < leaf.longest(), "ready too early");
    }
    Ok(())
}

/// Whether it was pending, so that there was a wake.
fn was_dropped_in_its_wake(leaf: &'static dyn Leaf, after: Duration) -> Answer<bool> {
    let (woken, is_woken) = mpsc::channel();
    let timer = Mutex::new(Some(leaf.timer(after)?));
    let drops = Arc::new(DropsTheTimer { timer, woken });
    let waker = Waker::from(drops.clone());
    let mut cx = Context::from_waker(&waker);
    let mut was_pending = false;
    loop {
        let mut timer = drops.timer.lock().unwrap_or_else(PoisonError::into_inner);
        let pending = timer
            .as_mut()
            .map(|timer| timer.as_mut().poll(&mut cx).is_pending());
        drop(timer);
        if pending != Some(true) {
            return Ok(was_pending);
        }
        was_pending = true;
        let dropped = is_woken.recv().expect("the waker holds a sender");
        assert!(dropped.is_ok(), "its drop panics: {}", dropped.unwrap_err());
    }
}
