use super::*;
use probe::{
    CountingWaker,
    hostile::{Hostile, Moment},
    in_gap, watch, within,
};
use std::{sync::Arc, task::Wake, time::Duration};
use step05_parker_block_on::block_on;

/// Calls `act` inside a poll, under the watchdog.
fn run(name: &str, act: impl FnOnce()) {
    within(Duration::from_secs(2), || {
        block_on(watch(name, async { act() }))
    });
}

/// Starts another timer when it is woken.
struct StartsAnother {
    timers: Arc<Timers>,
    another: CountingWaker,
}

impl Wake for StartsAnother {
    fn wake(self: Arc<Self>) {
        self.timers.start(99, self.another.waker());
    }
}

/// Removes another timer when it is dropped.
struct RemovesAnother {
    timers: Arc<Timers>,
}

impl Wake for RemovesAnother {
    fn wake(self: Arc<Self>) {}
}

impl Drop for RemovesAnother {
    fn drop(&mut self) {
        self.timers.remove(98);
    }
}

fn starts_another(timers: &Arc<Timers>) -> (Waker, CountingWaker) {
    let (timers, another) = (Arc::clone(timers), CountingWaker::new());
    let waker = StartsAnother {
        timers,
        another: another.clone(),
    };
    (Waker::from(Arc::new(waker)), another)
}

const LOST: &str =
    "a waker that is woken may start another timer, and this one was lost: it is not in the map";

#[test]
fn finish_wakes_a_waker_that_comes_back() {
    let timers = Arc::new(Timers::default());
    let (waker, another) = starts_another(&timers);
    timers.start(1, waker);
    run("a waker that comes back when finished", || timers.finish(1));
    assert_eq!(timers.len(), 1, "{LOST}");
    timers.finish(99);
    assert_eq!(
        another.wakes(),
        1,
        "the timer that was started by a waker wakes"
    );
}

#[test]
fn close_wakes_wakers_that_come_back() {
    let timers = Arc::new(Timers::default());
    let counting = CountingWaker::new();
    for id in [1, 3] {
        timers.start(id, counting.waker());
    }
    let (waker, another) = starts_another(&timers);
    timers.start(2, waker);
    run("a waker that comes back when all are closed", || {
        timers.close()
    });
    assert_eq!(counting.wakes(), 2, "`close` wakes every task once");
    assert!(timers.len() == 1 || another.wakes() == 1, "{LOST}");
}

fn removes_another(timers: &Arc<Timers>) -> Waker {
    let timers = Arc::clone(timers);
    Waker::from(Arc::new(RemovesAnother { timers }))
}

#[test]
fn start_replaces_a_waker_that_comes_back() {
    let timers = Arc::new(Timers::default());
    let (counting, latest) = (CountingWaker::new(), CountingWaker::new());
    timers.start(98, counting.waker());
    timers.start(1, removes_another(&timers));
    run("a waker that comes back when replaced", || {
        timers.start(1, latest.waker())
    });
    assert_eq!(
        (timers.len(), counting.live()),
        (1, 0),
        "the waker that was replaced removed its timer"
    );
    timers.finish(1);
    assert_eq!(latest.wakes(), 1, "the latest waker is the one in the map");
}

#[test]
fn remove_drops_a_waker_that_comes_back() {
    let timers = Arc::new(Timers::default());
    let counting = CountingWaker::new();
    timers.start(98, counting.waker());
    timers.start(1, removes_another(&timers));
    run("a waker that comes back when dropped", || timers.remove(1));
    assert_eq!(timers.len(), 0, "both timers were removed");
    assert_eq!(
        (counting.wakes(), counting.live()),
        (0, 0),
        "removed, and not woken"
    );
}

#[test]
fn one_that_does_not_come_back_is_woken_once() {
    let timers = Timers::default();
    let counting = CountingWaker::new();
    timers.start(1, counting.waker());
    run("an ordinary waker", || {
        timers.finish(1);
        timers.finish(1);
        timers.close();
    });
    assert_eq!((counting.wakes(), counting.live()), (1, 0));
}

#[test]
fn a_finish_may_come_between_two_locks_of_start() {
    for gap in 0.. {
        let timers = Arc::new(Timers::default());
        let (earlier, latest) = (CountingWaker::new(), CountingWaker::new());
        timers.start(1, earlier.waker());
        let finishes = Arc::clone(&timers);
        let waker = latest.waker();
        let start = || timers.start(1, waker);
        let ((), gaps) = in_gap(gap, move || finishes.finish(1), start);
        if gap >= gaps {
            break;
        }
        assert_eq!(
            earlier.wakes() + latest.wakes(),
            1,
            "`start` released the lock, the timer finished, and no task was woken. Between two locks the timer was not in \
             the map: put the new waker in and take the earlier one out under one lock."
        );
    }
}

#[test]
fn close_clones_no_waker_under_the_lock() {
    let timers = Arc::new(Timers::default());
    let hostile = Hostile::new();
    timers.start(1, hostile.waker());
    let returns = Arc::clone(&timers);
    hostile.arm(Moment::Clone, move || returns.remove(98));
    run("a waker that comes back when cloned", || timers.close());
    assert_eq!(
        (timers.len(), hostile.wakes(), hostile.live()),
        (0, 1, 0),
        "`close` takes every timer out, wakes its task, and leaves no waker behind"
    );
    hostile.disarm();
}
