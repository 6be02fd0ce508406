//! The signal: fired before, between, during and after polls.

use std::{
    cell::RefCell,
    future::poll_fn,
    panic::{self, AssertUnwindSafe},
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    thread,
    time::Duration,
};

use futures::{
    executor::{LocalPool, block_on},
    future::{FutureExt, join_all},
    join,
    stream::{FuturesUnordered, StreamExt},
    task::LocalSpawnExt,
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
fn of_two_tasks_only_the_one_that_polled_last_is_woken() {
    let signal = Rc::new(Signal::default());
    let finished = Rc::new(RefCell::new(Vec::new()));
    let mut pool = LocalPool::new();
    for task in ["first", "second"] {
        let (signal, finished) = (Rc::clone(&signal), Rc::clone(&finished));
        let wait = async move {
            poll_fn(|cx| signal.poll_fired(cx)).await;
            finished.borrow_mut().push(task);
        };
        pool.spawner().spawn_local(wait).unwrap();
    }
    pool.run_until_stalled();
    signal.fire();
    pool.run_until_stalled();
    // The first task would see that the signal has been fired, but nothing wakes it.
    assert_eq!(*finished.borrow(), ["second"]);
}

#[test]
fn two_futures_of_one_task_may_wait_for_it() {
    within(LIMIT, || {
        let signal = Arc::new(Signal::default());
        let to_fire = Arc::clone(&signal);
        let wait = || poll_fn(|cx| signal.poll_fired(cx));
        thread::spawn(move || to_fire.fire());
        block_on(async { join!(wait(), wait()) });
    });
}

/// Which of `count` futures finish, if one task polls all of them with `join_all` and then the signal fires.
fn finished_of(count: usize) -> Vec<usize> {
    let signal = Rc::new(Signal::default());
    let finished = Rc::new(RefCell::new(Vec::new()));
    let wait = |number| {
        let (signal, finished) = (Rc::clone(&signal), Rc::clone(&finished));
        async move {
            poll_fn(|cx| signal.poll_fired(cx)).await;
            finished.borrow_mut().push(number);
        }
    };
    let task = join_all((0..count).map(wait)).map(drop);
    let mut pool = LocalPool::new();
    pool.spawner().spawn_local(task).unwrap();
    pool.run_until_stalled();
    signal.fire();
    pool.run_until_stalled();
    finished.take()
}

#[test]
fn of_two_wakers_of_one_task_only_the_last_is_called() {
    // Up to 30 futures are polled with the task's waker. Beyond that, `join_all` makes a waker for each future.
    assert_eq!(finished_of(30), Vec::from_iter(0..30));
    assert_eq!(finished_of(31), [30]);
}

#[test]
fn of_two_children_only_the_one_that_polled_last_is_woken() {
    let (signal, waker) = (Signal::default(), CountingWaker::new());
    let wait = || poll_fn(|cx| signal.poll_fired(cx));
    let mut children: FuturesUnordered<_> = [wait(), wait()].into_iter().collect();
    let mut next = || children.poll_next_unpin(&mut Context::from_waker(&waker.waker()));
    assert_eq!(next(), Poll::Pending);
    signal.fire();
    assert_eq!(next(), Poll::Ready(Some(())));
    // The other child would see that the signal has been fired, but nothing wakes it.
    assert_eq!(next(), Poll::Pending);
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

/// Polls the signal again inside `wake`, as an executor that polls in place does.
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
fn a_waker_may_poll_the_signal_that_wakes_it() {
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

struct PanicsWhenDropped;

impl Wake for PanicsWhenDropped {
    fn wake(self: Arc<Self>) {}
}

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("this panic belongs to the test");
    }
}

#[test]
fn a_waker_whose_drop_panics_poisons_the_signal() {
    let (signal, other) = (Signal::default(), CountingWaker::new());
    let waker = Waker::from(Arc::new(PanicsWhenDropped));
    let answer = signal.poll_fired(&mut Context::from_waker(&waker));
    assert_eq!(answer, Poll::Pending);
    drop(waker);
    // This poll drops the earlier waker under the lock.
    assert!(panic::catch_unwind(AssertUnwindSafe(|| poll(&signal, &other))).is_err());
    let poisoned = panic::catch_unwind(AssertUnwindSafe(|| signal.fire())).unwrap_err();
    let message = poisoned.downcast::<String>().unwrap();
    assert!(message.contains("a waker's clone and drop"), "{message}");
}
