//! Version 2 of the signal: what version 1 does too, and wakers that use the signal while it clones, wakes or drops them.
//!
//! The tests of what version 1 does too are those of stage 03, written again: no stage depends on another one, and the two signals are
//! types of different crates. So a test that is changed here may have to be changed there.

use std::{
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    thread,
    time::Duration,
};

use probe::{
    CountingWaker,
    hostile::{Hostile, Moment, elsewhere},
    within,
};
use step05_parker_block_on::Signal;

const LIMIT: Duration = Duration::from_secs(10);

fn poll(signal: &Signal, waker: &CountingWaker) -> Poll<()> {
    signal.poll_fired(&mut Context::from_waker(&waker.waker()))
}

#[test]
fn fired_before_the_first_poll_it_is_ready_at_once() {
    let (signal, waker) = (Signal::default(), CountingWaker::new());
    signal.fire();
    assert_eq!(poll(&signal, &waker), Poll::Ready(()));
    assert_eq!((waker.wakes(), waker.clones()), (0, 0));
}

#[test]
fn fired_after_a_poll_it_wakes_once_and_keeps_no_waker() {
    let (signal, waker) = (Signal::default(), CountingWaker::new());
    assert_eq!(poll(&signal, &waker), Poll::Pending);
    assert_eq!(waker.live(), 1);
    signal.fire();
    signal.fire();
    assert_eq!((waker.wakes(), waker.live()), (1, 0));
    assert_eq!(poll(&signal, &waker), Poll::Ready(()));
    assert_eq!(poll(&signal, &waker), Poll::Ready(()));
    assert_eq!(waker.live(), 0);
}

#[test]
fn moved_to_another_task_it_wakes_that_task_alone() {
    let signal = Signal::default();
    let (first, second) = (CountingWaker::new(), CountingWaker::new());
    assert_eq!(poll(&signal, &first), Poll::Pending);
    assert_eq!(poll(&signal, &second), Poll::Pending);
    assert_eq!(first.live(), 0);
    signal.fire();
    assert_eq!((first.wakes(), second.wakes()), (0, 1));
}

#[test]
fn polled_again_by_the_same_task_it_clones_no_waker() {
    let (signal, waker) = (Signal::default(), CountingWaker::new());
    let handed_out = waker.waker();
    let mut cx = Context::from_waker(&handed_out);
    for _ in 0..1_000 {
        assert_eq!(signal.poll_fired(&mut cx), Poll::Pending);
    }
    assert_eq!(waker.clones(), 1);
}

#[test]
fn dropped_it_drops_its_waker() {
    let (signal, waker) = (Signal::default(), CountingWaker::new());
    assert_eq!(poll(&signal, &waker), Poll::Pending);
    drop(signal);
    assert_eq!((waker.wakes(), waker.live()), (0, 0));
}

#[test]
fn fired_from_four_threads_at_once_it_wakes_once() {
    let (signal, waker) = (Signal::default(), CountingWaker::new());
    assert_eq!(poll(&signal, &waker), Poll::Pending);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| signal.fire());
        }
    });
    assert_eq!(waker.wakes(), 1);
}

/// Polls the signal while the signal wakes it, like an executor that polls a task inside the wake.
struct PollsWhenWoken {
    signal: Arc<Signal>,
    ready: AtomicUsize,
}

impl Wake for PollsWhenWoken {
    fn wake(self: Arc<Self>) {
        let mut cx = Context::from_waker(Waker::noop());
        let answer = self.signal.poll_fired(&mut cx);
        self.ready
            .fetch_add(usize::from(answer.is_ready()), Ordering::SeqCst);
    }
}

#[test]
fn a_waker_may_poll_the_signal_while_it_is_woken() {
    within(LIMIT, || {
        let signal = Arc::new(Signal::default());
        let waker = Arc::new(PollsWhenWoken {
            signal: Arc::clone(&signal),
            ready: AtomicUsize::new(0),
        });
        let handed_out = Waker::from(Arc::clone(&waker));
        let answer = signal.poll_fired(&mut Context::from_waker(&handed_out));
        assert_eq!(answer, Poll::Pending);
        signal.fire();
        assert_eq!(waker.ready.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn a_waker_may_fire_the_signal_while_it_is_cloned() {
    within(LIMIT, || {
        let (signal, hostile) = (Arc::new(Signal::default()), Hostile::new());
        let same = Arc::clone(&signal);
        hostile.arm(Moment::Clone, move || same.fire());
        let waker = hostile.waker();
        let answer = signal.poll_fired(&mut Context::from_waker(&waker));
        // The signal was fired between its two checks, so the second check finds it ready.
        assert_eq!(answer, Poll::Ready(()));
        drop(waker);
        assert_eq!((hostile.acted(), hostile.live()), (true, 0));
    });
}

#[test]
fn a_clone_that_is_not_needed_is_dropped_while_the_lock_is_free() {
    within(LIMIT, || {
        let (signal, hostile) = (Arc::new(Signal::default()), Hostile::new());
        let (same, arming) = (Arc::clone(&signal), hostile.clone());
        hostile.arm(Moment::Clone, move || {
            // The clone fires the signal, so that it is not needed, and arms its own drop.
            same.fire();
            let same = Arc::clone(&same);
            arming.arm(Moment::Drop, move || elsewhere(|| same.fire()));
        });
        let waker = hostile.waker();
        let answer = signal.poll_fired(&mut Context::from_waker(&waker));
        assert_eq!((answer, hostile.acted()), (Poll::Ready(()), true));
        hostile.disarm();
    });
}

/// Fires the signal when the last of its wakers is dropped.
struct FiresWhenDropped(Arc<Signal>);

impl Wake for FiresWhenDropped {
    fn wake(self: Arc<Self>) {}
}

impl Drop for FiresWhenDropped {
    fn drop(&mut self) {
        self.0.fire();
    }
}

#[test]
fn a_waker_may_fire_the_signal_while_it_is_dropped() {
    within(LIMIT, || {
        let signal = Arc::new(Signal::default());
        let first = Waker::from(Arc::new(FiresWhenDropped(Arc::clone(&signal))));
        let answer = signal.poll_fired(&mut Context::from_waker(&first));
        assert_eq!(answer, Poll::Pending);
        drop(first);
        // Now the signal owns the last of them. This poll replaces and drops it, which fires the signal.
        let second = CountingWaker::new();
        assert_eq!(poll(&signal, &second), Poll::Pending);
        assert_eq!(second.wakes(), 1);
    });
}

struct PanicsWhenWoken;

impl Wake for PanicsWhenWoken {
    fn wake(self: Arc<Self>) {
        panic!("this panic belongs to the test");
    }
}

#[test]
fn a_waker_that_panics_leaves_the_signal_fired() {
    let signal = Signal::default();
    let waker = Waker::from(Arc::new(PanicsWhenWoken));
    let mut cx = Context::from_waker(&waker);
    assert_eq!(signal.poll_fired(&mut cx), Poll::Pending);
    assert!(panic::catch_unwind(AssertUnwindSafe(|| signal.fire())).is_err());
    assert_eq!(signal.poll_fired(&mut cx), Poll::Ready(()));
}
