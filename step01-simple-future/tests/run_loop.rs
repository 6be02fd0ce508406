//! The run loop: every moment at which a wake can come.
//!
//! `wake` has no argument, so it reaches every run loop of the process. Each test that counts therefore runs
//! while no other does.

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use probe::within;
use step01_simple_future::{Poll, RunLoop, SimpleFuture, wake};

const LIMIT: Duration = Duration::from_secs(10);

pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

type PollFn = Box<dyn FnMut(fn()) -> Poll<usize>>;

/// A future from a closure, which panics when it is polled after `Ready`.
struct FromFn<F>(Option<F>);

fn from_fn<T, F: FnMut(fn()) -> Poll<T>>(poll: F) -> FromFn<F> {
    FromFn(Some(poll))
}

impl<T, F: FnMut(fn()) -> Poll<T>> SimpleFuture for FromFn<F> {
    type Output = T;

    fn poll(&mut self, wake: fn()) -> Poll<T> {
        let poll = self.0.as_mut().expect("polled after Ready");
        let answer = poll(wake);
        if let Poll::Ready(_) = answer {
            self.0 = None;
        }
        answer
    }
}

/// Pending `times` times, doing `each` before every `Pending`.
fn pending(times: usize, mut each: impl FnMut(fn())) -> impl SimpleFuture<Output = usize> {
    let mut polls = 0;
    from_fn(move |wake| {
        polls += 1;
        if polls > times {
            return Poll::Ready(polls);
        }
        each(wake);
        Poll::Pending
    })
}

#[test]
fn no_futures_no_polls() {
    let _alone = alone();
    let mut none = RunLoop::new([(); 0].map(|()| pending(0, |_| {})));
    assert!(none.run().is_empty());
    assert_eq!(none.polls(), 0);
}

#[test]
fn woken_during_a_poll_it_is_polled_again() {
    let _alone = alone();
    within(LIMIT, || {
        let mut one = RunLoop::new([pending(100, |wake| wake())]);
        assert_eq!(one.run(), [101]);
        assert_eq!(one.polls(), 101);
    });
}

#[test]
fn woken_many_times_before_the_next_poll_it_is_polled_once() {
    let _alone = alone();
    within(LIMIT, || {
        let wakes = if cfg!(miri) { 100 } else { 10_000 };
        let storm = |wake: fn()| (0..wakes).for_each(|_| wake());
        assert_eq!(RunLoop::new([pending(1, storm)]).run(), [2]);
    });
}

#[test]
fn woken_from_four_threads_at_once_it_misses_no_wake() {
    const TIMES: usize = if cfg!(miri) { 10 } else { 50 };
    let _alone = alone();
    within(LIMIT, || {
        let mut threads = Vec::new();
        let four_threads = |wake: fn()| threads.extend([0; 4].map(|_| thread::spawn(wake)));
        let polls = RunLoop::new([pending(TIMES, four_threads)]).run()[0];
        assert_eq!(polls, TIMES + 1);
        // A wake that comes later would reach the next test.
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

#[test]
fn woken_from_another_thread_after_it_fell_asleep() {
    let _alone = alone();
    within(LIMIT, || {
        let (go, gate) = mpsc::channel::<fn()>();
        let waker = thread::spawn(move || gate.recv().map(|wake| wake()));
        let mut one = RunLoop::new([pending(1, move |wake| go.send(wake).unwrap())]);
        assert_eq!(one.run(), [2]);
        waker.join().unwrap().unwrap();
    });
}

#[test]
fn it_polls_once_for_each_wake_and_sleeps_in_between() {
    let _alone = alone();
    within(LIMIT, || {
        let wakes = &AtomicUsize::new(0);
        let (go, gate) = mpsc::channel::<fn()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                for wake in gate {
                    // Time for a loop that does not sleep to poll again.
                    thread::sleep(Duration::from_millis(5));
                    wakes.fetch_add(1, Ordering::SeqCst);
                    wake();
                }
            });
            let mut polls = 0;
            let mut one = RunLoop::new([from_fn(move |wake| {
                polls += 1;
                let wakes = wakes.load(Ordering::SeqCst);
                if wakes == 3 {
                    return Poll::Ready(polls);
                }
                if polls == wakes + 1 {
                    go.send(wake).unwrap();
                }
                Poll::Pending
            })]);
            assert_eq!(one.run(), [4]);
        });
    });
}

#[test]
fn a_finished_future_is_dropped_at_once_and_never_polled_again() {
    let _alone = alone();
    within(LIMIT, || {
        let (alive, dropped) = mpsc::channel::<()>();
        let mut alive = Some(alive);
        let short: PollFn = Box::new(move |_| {
            drop(alive.take());
            Poll::Ready(1)
        });
        let mut left = 3;
        let long: PollFn = Box::new(move |wake| {
            assert_eq!(dropped.try_recv(), Err(mpsc::TryRecvError::Disconnected));
            left -= 1;
            wake();
            if left == 0 {
                Poll::Ready(3)
            } else {
                Poll::Pending
            }
        });
        let mut both = RunLoop::new([from_fn(short), from_fn(long)]);
        assert_eq!(both.run(), [1, 3]);
        assert_eq!(both.polls(), 4);
    });
}

#[test]
fn outputs_come_in_the_order_in_which_the_futures_finish() {
    let _alone = alone();
    within(LIMIT, || {
        let waits = [3, 0, 2, 1];
        let mut four = RunLoop::new(waits.map(|times| pending(times, |wake| wake())));
        assert_eq!(four.run(), [1, 2, 3, 4]);
    });
}

#[test]
fn outputs_that_poll_all_has_returned_are_not_returned_by_run() {
    let _alone = alone();
    within(LIMIT, || {
        let mut two = RunLoop::new([0, 1].map(|times| pending(times, |wake| wake())));
        assert_eq!(two.poll_all(), [1]);
        assert_eq!(two.run(), [2]);
        assert_eq!(two.polls(), 3);
    });
}

#[test]
fn one_wake_wakes_every_loop_that_sleeps() {
    const LOOPS: usize = 4;
    let _alone = alone();
    within(LIMIT, || {
        let (polled, all_polled) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..LOOPS {
                let polled = polled.clone();
                scope.spawn(move || {
                    RunLoop::new([pending(1, |_| polled.send(()).unwrap())]).run();
                });
            }
            for () in all_polled.iter().take(LOOPS) {}
            // Time for the loops to fall asleep. One that has not is not woken, and the test is right all the same.
            thread::sleep(Duration::from_millis(20));
            wake();
        });
    });
}

#[test]
fn a_wake_reaches_every_future_of_every_loop() {
    let _alone = alone();
    within(LIMIT, || {
        let once = || pending(1, |_| {});
        let mut first = RunLoop::new([once(), once()]);
        let mut second = RunLoop::new([once()]);
        first.poll_all();
        second.poll_all();
        wake();
        first.sleep();
        second.sleep();
        assert_eq!(first.poll_all(), [2, 2]);
        assert_eq!(second.poll_all(), [2]);
    });
}

#[test]
fn a_late_wake_for_no_future_does_no_harm() {
    let _alone = alone();
    wake();
    let mut one = RunLoop::new([pending(0, |_| {})]);
    assert_eq!(one.run(), [1]);
}
