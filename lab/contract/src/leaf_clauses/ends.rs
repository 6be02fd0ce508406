//! When it is over, or dropped before that, nothing is left.

use std::{panic::AssertUnwindSafe, sync::Mutex, task::Context};

use probe::hostile::{Hostile, Moment};

use super::timers::{SOON, catch_up, poll_pending};
use crate::{
    Answer, Check, Clause, Edition, Leaf, Level, Message, Unsupported, fault::LeafFault,
    fixtures::comes_true, panics::caught, wake_counter::WakeCounter,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "dropped_early",
        edition: Edition::E1,
        rule: "Dropped before it is ready, the future leaves neither a waker nor a thread behind.",
        why: "A timeout that was not needed is dropped every time, so whatever each of them leaves behind adds up.",
        level: Level::Ecosystem,
        choice: Some(
            "A channel may keep the one waker of its dropped receiver until its last sender is gone. Wakers that add up are a leak.",
        ),
        check: Check::Leaf(
            dropped_early,
            &[
                (LeafFault::StaysWhenDropped, "wakers are left"),
                (LeafFault::ThreadStaysWhenDropped, "threads to"),
            ],
        ),
    },
    Clause {
        name: "dropped_late",
        edition: Edition::E1,
        rule: "Dropped after it was ready, the future leaves no waker behind.",
        why: "A waker that is never dropped keeps the memory of its task forever.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            dropped_late,
            &[(LeafFault::LeaksWhenOver, "wakers are left")],
        ),
    },
    Clause {
        name: "polled_after_ready",
        edition: Edition::E1,
        rule: "Polled after it was ready, the future is ready again or panics. It does not wait forever.",
        why: "Such a poll is a mistake of the caller, and a mistake should be noticed.",
        level: Level::Quality,
        choice: Some(
            "Whether it is ready again or panics is left to each future. The trait even allows it to wait forever.",
        ),
        check: Check::Leaf(
            polled_after_ready,
            &[
                (LeafFault::PendingAfterReady, "pending, after it was ready"),
                (LeafFault::WaitsForAnother, "pending, after it was ready"),
            ],
        ),
    },
    Clause {
        name: "driver_gone",
        edition: Edition::E1,
        rule: "When the driver that would wake it ends, the future is woken, and its next poll returns Ready, perhaps with an error.",
        why: "Nothing else will wake it. A program that drops its reactor too early would wait forever.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            driver_gone,
            &[
                (LeafFault::EndsSilently, "it hangs"),
                (LeafFault::WakesUnderItsLock, "it hangs"),
                (LeafFault::WaitsForNoDriver, "pending, without a driver"),
                (LeafFault::KeepsWakersAsItEnds, "wakers are left"),
            ],
        ),
    },
];

/// Ten timers are polled and dropped. When a later one is over, neither their wakers nor their threads are there.
pub fn dropped_early(leaf: &'static dyn Leaf) -> Answer {
    catch_up(leaf)?;
    let before = probe::threads();
    let counter = WakeCounter::new();
    // A sender may live on when its receiver is gone.
    let mut triggers = Vec::new();
    for _ in 0..10 {
        let mut timer = match leaf.pending() {
            Ok((future, trigger)) => {
                triggers.push(trigger);
                future
            }
            Err(Unsupported) => leaf.timer(leaf.longest())?,
        };
        poll_pending(&counter, &mut timer);
    }
    catch_up(leaf)?;
    assert!(comes_true(|| counter.kept() == 0), "wakers are left");
    let gone = comes_true(|| probe::threads() <= before);
    let now = probe::threads();
    assert!(gone, "from {before:?} threads to {now:?}");
    Ok(())
}

/// A timer is run to its end and dropped.
pub fn dropped_late(leaf: &'static dyn Leaf) -> Answer {
    let counter = WakeCounter::new();
    let mut timer = leaf.timer(SOON)?;
    counter.finish(&mut timer);
    drop(timer);
    assert!(comes_true(|| counter.kept() == 0), "wakers are left");
    Ok(())
}

/// A timer, or the receiver of an open channel, is polled once more than is right.
pub fn polled_after_ready(leaf: &'static dyn Leaf) -> Answer {
    let counter = WakeCounter::new();
    let (mut timer, _open) = match leaf.queue() {
        Ok((receive, mut put)) => {
            put(Message::default());
            (receive, Some(put)) // a channel that is closed would be ready again
        }
        Err(Unsupported) => (leaf.timer(SOON)?, None),
    };
    counter.finish(&mut timer);
    if let Ok(again) = caught(AssertUnwindSafe(|| counter.poll(&mut timer))) {
        assert!(again.is_ready(), "pending, after it was ready");
    }
    Ok(())
}

/// Of three timers two are polled before their driver ends. One of them is dropped by the wake that says so, and the
/// other one is polled again. The third is polled for the first time when there is no driver.
pub fn driver_gone(leaf: &'static dyn Leaf) -> Answer {
    let (mut timers, end) = leaf.timers_and_end(leaf.longest(), 3)?;
    let (counter, hostile) = (WakeCounter::new(), Hostile::default());
    poll_pending(&counter, &mut timers[0]);
    let mut dropped = timers.remove(1);
    let waker = hostile.waker();
    let _ = dropped.as_mut().poll(&mut Context::from_waker(&waker));
    drop(waker);
    let dropped = Mutex::new(Some(dropped));
    hostile.arm(Moment::Wake, move || {
        let timer = dropped.lock().ok().and_then(|mut place| place.take());
        drop(timer);
    });
    end();
    counter.wait(0);
    for mut timer in timers {
        let polled = caught(AssertUnwindSafe(|| counter.poll(&mut timer)));
        let pending = polled.is_ok_and(|polled| polled.is_pending());
        assert!(!pending, "pending, without a driver");
    }
    let kept = || counter.kept() + hostile.live();
    assert!(comes_true(|| kept() == 0), "wakers are left");
    Ok(())
}
