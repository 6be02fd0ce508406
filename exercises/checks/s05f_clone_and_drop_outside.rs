use super::*;
use probe::{
    CountingWaker,
    hostile::{Hostile, Moment},
    watch, within,
};
use std::{future::poll_fn, pin::pin, sync::Arc, task::Wake, time::Duration};

mod wait;

const LIMIT: Duration = Duration::from_secs(2);

/// Polls the signal with this waker, under the eyes of the watchdog.
fn poll(signal: &Signal, name: &str, waker: &Waker) -> Poll<()> {
    within(LIMIT, || {
        let mut polling = pin!(watch(name, poll_fn(|cx| signal.poll_fired(cx))));
        polling.as_mut().poll(&mut Context::from_waker(waker))
    })
}

/// Without `watch`, which would clone the waker first, and keep the clone.
fn poll_unwatched(signal: &Signal, hostile: &Hostile) -> Poll<()> {
    within(LIMIT, || {
        let waker = hostile.waker();
        signal.poll_fired(&mut Context::from_waker(&waker))
    })
}

/// What a task is to its waker: the last waker drops it, and here that fires the signal.
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
fn the_latest_waker_is_woken_once() {
    let (signal, first, second) = (
        Signal::default(),
        CountingWaker::new(),
        CountingWaker::new(),
    );
    assert!(poll(&signal, "task A", &first.waker()).is_pending());
    assert!(poll(&signal, "task B", &second.waker()).is_pending());
    signal.fire();
    let wakes = (first.wakes(), second.wakes());
    assert!(
        wakes == (0, 1),
        "task A polled first and task B after it, then the signal was fired. Woken were A and B {wakes:?} times; \
         (0, 1) was asked for. Which waker does `poll_fired` keep?"
    );
    assert!(
        poll(&signal, "task B", &second.waker()).is_ready(),
        "the signal was fired, and `poll_fired` says Pending."
    );
}

#[test]
fn a_waker_may_fire_the_signal_while_it_is_dropped() {
    let signal = Arc::new(Signal::default());
    let first = Waker::from(Arc::new(FiresWhenDropped(Arc::clone(&signal))));
    assert!(poll(&signal, "task A", &first).is_pending());
    drop(first);
    // The signal has A's last waker. This poll replaces it.
    let second = CountingWaker::new();
    let polled = poll(
        &signal,
        "task B, whose poll drops A's waker",
        &second.waker(),
    );
    assert!(
        polled.is_ready() || second.wakes() == 1,
        "the drop of A's waker fired the signal. B's poll said Pending, and B was not woken. When is the earlier \
         waker dropped, before B's waker is stored or after it?"
    );
}

#[test]
fn a_clone_may_fire_the_signal_when_it_was_not_needed() {
    let (signal, hostile) = (Arc::new(Signal::default()), Hostile::new());
    signal.fire();
    let same = Arc::clone(&signal);
    hostile.arm(Moment::Drop, move || same.fire());
    let polled = poll_unwatched(&signal, &hostile);
    assert!(polled.is_ready(), "the signal was fired before this poll");
    hostile.disarm();
}

#[test]
fn a_waker_may_fire_the_signal_while_it_is_cloned() {
    let (signal, hostile) = (Arc::new(Signal::default()), Hostile::new());
    let same = Arc::clone(&signal);
    hostile.arm(Moment::Clone, move || same.fire());
    let polled = poll_unwatched(&signal, &hostile);
    assert!(
        polled.is_ready() || hostile.wakes() > 0,
        "the signal was fired while its poll cloned the waker. The poll said Pending, and the waker was not woken: a \
         lost wake. The lock was free for a moment, so what must the poll check again?"
    );
    hostile.disarm();
}

#[test]
fn a_poll_with_the_same_waker_may_fire_the_signal() {
    let (signal, hostile) = (Arc::new(Signal::default()), Hostile::new());
    let waker = hostile.waker();
    let poll = || signal.poll_fired(&mut Context::from_waker(&waker));
    assert!(within(LIMIT, poll).is_pending(), "ready before `fire`");
    let same = Arc::clone(&signal);
    hostile.arm(Moment::Drop, move || same.fire());
    let polled = within(LIMIT, poll);
    assert!(
        polled.is_ready() || hostile.wakes() > 0 || !hostile.acted(),
        "a task polled twice with the same waker, and the drop of one of its clones fired the signal. The poll said Pending, \
         and the waker was not woken. Is a waker stored when the other one is dropped?"
    );
    hostile.disarm();
}

#[test]
fn a_signal_wakes_its_own_task_which_may_poll_at_once() {
    let [signal, other] = [(); 2].map(|()| Arc::new(Signal::default()));
    let (hostile, not_woken) = (Hostile::new(), CountingWaker::new());
    let same = Arc::clone(&signal);
    let polls = move || {
        assert!(
            same.poll_fired(&mut Context::from_waker(Waker::noop()))
                .is_ready(),
            "polled in `wake`, and the signal was not fired yet"
        );
    };
    assert!(poll(&other, "task B", &not_woken.waker()).is_pending());
    assert!(poll_unwatched(&signal, &hostile).is_pending());
    hostile.arm(Moment::Wake, polls);
    within(LIMIT, || signal.fire());
    let wakes = (hostile.wakes(), not_woken.wakes());
    assert!(
        wakes == (1, 0),
        "tasks A and B poll two signals, and A's is fired. Woken were A and B {wakes:?} times; (1, 0) was asked for."
    );
    hostile.disarm();
}

#[test]
fn a_poll_waits_for_the_lock() {
    let (signal, waker) = (Arc::new(Signal::default()), CountingWaker::new());
    let (polls, kept) = (Arc::clone(&signal), waker.waker());
    let polled = wait::for_the_lock(signal.state.lock().unwrap(), move || {
        polls.poll_fired(&mut Context::from_waker(&kept))
    });
    signal.fire();
    assert!(
        polled.is_pending() && waker.wakes() == 1,
        "another thread held the lock while a task polled, and fired the signal later. The task was woken {} times.",
        waker.wakes()
    );
}
