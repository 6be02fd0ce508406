//! The signal: fired before, between, during and after polls.

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

use probe::{CountingWaker, within};
use step03_timer_future::Signal;

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
fn moved_to_another_task_it_wakes_that_one_alone() {
    let (signal, first, second) = (
        Signal::default(),
        CountingWaker::new(),
        CountingWaker::new(),
    );
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
fn dropped_it_lets_go_of_the_waker() {
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

/// Polls the signal again while it is being woken by it, as an executor that runs tasks in place would.
struct PollsWhenWoken {
    signal: Arc<Signal>,
    ready: AtomicUsize,
}

impl Wake for PollsWhenWoken {
    fn wake(self: Arc<Self>) {
        let answer = self
            .signal
            .poll_fired(&mut Context::from_waker(Waker::noop()));
        self.ready
            .fetch_add(usize::from(answer.is_ready()), Ordering::SeqCst);
    }
}

#[test]
fn a_waker_may_poll_the_signal_that_wakes_it() {
    within(LIMIT, || {
        let signal = Arc::new(Signal::default());
        let waker = Arc::new(PollsWhenWoken {
            signal: Arc::clone(&signal),
            ready: AtomicUsize::new(0),
        });
        let handed_out = Waker::from(Arc::clone(&waker));
        assert_eq!(
            signal.poll_fired(&mut Context::from_waker(&handed_out)),
            Poll::Pending
        );
        signal.fire();
        assert_eq!(waker.ready.load(Ordering::SeqCst), 1);
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
    assert_eq!(
        signal.poll_fired(&mut Context::from_waker(&waker)),
        Poll::Pending
    );
    assert!(panic::catch_unwind(AssertUnwindSafe(|| signal.fire())).is_err());
    assert_eq!(
        signal.poll_fired(&mut Context::from_waker(&waker)),
        Poll::Ready(())
    );
}
