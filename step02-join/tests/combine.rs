//! `Join`, `AndThen` and `Race`: which child is polled when, and how long it lives.

use std::{
    cell::Cell,
    panic,
    rc::Rc,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use probe::within;
use step02_join::{AndThen, Either, Join, Poll, Race, RunLoop, SimpleFuture, Trace, Traced};

/// Ready at the poll with this number, the first being 1, and not to be polled after that.
#[derive(Debug)]
struct ReadyAt {
    poll: u32,
    polls: u32,
    /// How many of these are alive.
    alive: Rc<Cell<u32>>,
}

impl ReadyAt {
    fn new(poll: u32, alive: &Rc<Cell<u32>>) -> ReadyAt {
        alive.set(alive.get() + 1);
        let alive = Rc::clone(alive);
        let polls = 0;
        ReadyAt { poll, polls, alive }
    }
}

impl SimpleFuture for ReadyAt {
    type Output = u32;

    fn poll(&mut self, wake: fn()) -> Poll<u32> {
        self.polls += 1;
        assert!(self.polls <= self.poll, "polled after Ready");
        if self.polls == self.poll {
            Poll::Ready(self.poll)
        } else {
            wake();
            Poll::Pending
        }
    }
}

impl Drop for ReadyAt {
    fn drop(&mut self) {
        self.alive.set(self.alive.get() - 1);
    }
}

const IDLE: fn() = || {};

fn run<F: SimpleFuture>(run_loop: &mut RunLoop<F>) -> Vec<F::Output> {
    within(Duration::from_secs(10), || run_loop.run())
}

#[test]
fn side_by_side_both_are_polled_until_each_is_finished() {
    let (trace, alive) = (Trace::start(), Rc::default());
    let a = Traced::new("a", ReadyAt::new(1, &alive), &trace);
    let b = Traced::new("b", ReadyAt::new(3, &alive), &trace);
    assert_eq!(run(&mut RunLoop::new([Join::new(a, b)])), [(1, 3)]);
    let expected = ["a ready", "b pending", "b pending", "b ready"];
    assert_eq!(trace.order(), expected);
}

#[test]
fn side_by_side_the_second_may_finish_first() {
    let (trace, alive) = (Trace::start(), Rc::default());
    let a = Traced::new("a", ReadyAt::new(2, &alive), &trace);
    let b = Traced::new("b", ReadyAt::new(1, &alive), &trace);
    assert_eq!(run(&mut RunLoop::new([Join::new(a, b)])), [(2, 1)]);
    assert_eq!(trace.order(), ["a pending", "b ready", "a ready"]);
}

#[test]
fn the_second_begins_in_the_poll_that_finishes_the_first() {
    let (trace, alive) = (Trace::start(), Rc::default());
    let a = Traced::new("a", ReadyAt::new(2, &alive), &trace);
    let b = Traced::new("b", ReadyAt::new(2, &alive), &trace);
    let mut run_loop = RunLoop::new([AndThen::new(a, b)]);
    assert_eq!(run(&mut run_loop), [(2, 2)]);
    let expected = ["a pending", "a ready", "b pending", "b ready"];
    assert_eq!(trace.order(), expected);
    assert_eq!(run_loop.polls(), 3);
}

#[test]
fn every_poll_of_a_child_gets_the_wake_of_the_poll() {
    static WAKES: AtomicUsize = AtomicUsize::new(0);
    fn wake() {
        WAKES.fetch_add(1, Ordering::SeqCst);
    }
    let (trace, alive) = (Trace::start(), Rc::default());
    let child = || Traced::new("child", ReadyAt::new(2, &alive), &trace);

    let mut join = Join::new(child(), child());
    assert_eq!(join.poll(wake), Poll::Pending);
    assert_eq!(WAKES.load(Ordering::SeqCst), 2, "by both");
    assert_eq!(join.poll(wake), Poll::Ready((2, 2)));

    let mut and_then = AndThen::new(child(), child());
    assert_eq!(and_then.poll(wake), Poll::Pending);
    assert_eq!(WAKES.load(Ordering::SeqCst), 3, "by the first");
    assert_eq!(and_then.poll(wake), Poll::Pending);
    assert_eq!(WAKES.load(Ordering::SeqCst), 4, "by the second");
    assert_eq!(and_then.poll(wake), Poll::Ready((2, 2)));

    let mut race = Race::new(child(), child());
    assert_eq!(race.poll(wake), Poll::Pending);
    assert_eq!(WAKES.load(Ordering::SeqCst), 6, "by both");
    assert_eq!(race.poll(wake), Poll::Ready(Either::Left(2)));
}

#[test]
fn the_loser_is_dropped_in_the_poll_that_finishes_the_winner() {
    for (at, winner, expected) in [
        (
            (2, 9),
            Either::Left(2),
            ["a pending", "b pending", "a ready", "b dropped"].as_slice(),
        ),
        (
            (9, 2),
            Either::Right(2),
            &[
                "a pending",
                "b pending",
                "a pending",
                "b ready",
                "a dropped",
            ],
        ),
    ] {
        let (trace, alive) = (Trace::start(), Rc::default());
        let a = Traced::new("a", ReadyAt::new(at.0, &alive), &trace);
        let b = Traced::new("b", ReadyAt::new(at.1, &alive), &trace);
        let mut race = Race::new(a, b);
        assert_eq!(race.poll(IDLE), Poll::Pending);
        assert_eq!((alive.get(), trace.dropped()), (2, 0));
        assert_eq!(race.poll(IDLE), Poll::Ready(winner));
        assert_eq!(
            (alive.get(), trace.dropped()),
            (0, 1),
            "while the race lives"
        );
        assert_eq!(trace.order(), expected);
    }
}

#[test]
fn if_both_could_be_ready_the_second_is_not_polled() {
    let (trace, alive) = (Trace::start(), Rc::default());
    let a = Traced::new("a", ReadyAt::new(1, &alive), &trace);
    let b = Traced::new("b", ReadyAt::new(1, &alive), &trace);
    assert_eq!(run(&mut RunLoop::new([Race::new(a, b)])), [Either::Left(1)]);
    assert_eq!(trace.order(), ["a ready", "b dropped"]);
}

#[test]
fn a_pair_that_loses_a_race_is_dropped_halfway() {
    let (trace, alive) = (Trace::start(), Rc::default());
    let child = |name, poll| Traced::new(name, ReadyAt::new(poll, &alive), &trace);
    let pair = AndThen::new(child("a", 2), child("b", 4));
    let race = Race::new(pair, child("c", 3));
    assert_eq!(run(&mut RunLoop::new([race])), [Either::Right(3)]);
    let expected = [
        "a pending",
        "c pending",
        "a ready",
        "b pending",
        "c pending",
        "b pending",
        "c ready",
        "b dropped",
    ];
    assert_eq!(trace.order(), expected);
}

#[test]
fn a_finished_child_is_dropped_at_once() {
    let alive = Rc::default();
    let two = |first, second| (ReadyAt::new(first, &alive), ReadyAt::new(second, &alive));

    let (a, b) = two(1, 2);
    let mut join = Join::new(a, b);
    assert_eq!(alive.get(), 2);
    assert_eq!(join.poll(IDLE), Poll::Pending);
    assert_eq!(alive.get(), 1);
    assert_eq!(join.poll(IDLE), Poll::Ready((1, 2)));
    assert_eq!(alive.get(), 0);

    let (a, b) = two(1, 2);
    let mut and_then = AndThen::new(a, b);
    assert_eq!(and_then.poll(IDLE), Poll::Pending);
    assert_eq!(alive.get(), 1);
    assert_eq!(and_then.poll(IDLE), Poll::Ready((1, 2)));
    assert_eq!(alive.get(), 0);
}

#[test]
fn dropped_early_both_children_go() {
    let alive = Rc::default();
    let mut join = Join::new(ReadyAt::new(1, &alive), ReadyAt::new(9, &alive));
    assert_eq!(join.poll(IDLE), Poll::Pending);
    drop(join);
    assert_eq!(alive.get(), 0);

    let mut race = Race::new(ReadyAt::new(9, &alive), ReadyAt::new(9, &alive));
    assert_eq!(race.poll(IDLE), Poll::Pending);
    drop(race);
    assert_eq!(alive.get(), 0);
}

#[test]
fn joins_nest() {
    let alive = Rc::default();
    let leaf = |poll| ReadyAt::new(poll, &alive);
    let inner = AndThen::new(leaf(2), leaf(3));
    let outer = Join::new(Join::new(leaf(1), leaf(4)), inner);
    assert_eq!(run(&mut RunLoop::new([outer])), [((1, 4), (2, 3))]);
}

#[test]
fn a_traced_future_may_have_traced_children() {
    let (trace, alive) = (Trace::start(), Rc::default());
    let child = Traced::new("child", ReadyAt::new(1, &alive), &trace);
    let mut parent = Traced::new("parent", child, &trace);
    assert_eq!(parent.poll(IDLE), Poll::Ready(1));
    assert_eq!(trace.order(), ["child ready", "parent ready"]);
}

#[test]
fn polled_after_it_was_ready_it_says_so() {
    let alive = Rc::default();
    let mut join = Join::new(ReadyAt::new(1, &alive), ReadyAt::new(1, &alive));
    assert_eq!(join.poll(IDLE), Poll::Ready((1, 1)));
    let again = panic::catch_unwind(panic::AssertUnwindSafe(|| join.poll(IDLE)));
    let message = again.expect_err("a finished join answered");
    assert_eq!(message.downcast_ref(), Some(&"polled after it was ready"));

    let mut race = Race::new(ReadyAt::new(1, &alive), ReadyAt::new(1, &alive));
    assert_eq!(race.poll(IDLE), Poll::Ready(Either::Left(1)));
    let again = panic::catch_unwind(panic::AssertUnwindSafe(|| race.poll(IDLE)));
    let message = again.expect_err("a finished race answered");
    assert_eq!(message.downcast_ref(), Some(&"polled after it was ready"));
}
