//! Both versions: timers that end, are moved, are dropped, and outlive their reactor.

use std::{
    future::Future,
    panic::{self, AssertUnwindSafe},
    pin::pin,
    sync::{Arc, Mutex, mpsc},
    task::{Context, Poll, Wake, Waker},
    thread,
    time::{Duration, Instant},
};

use futures::{
    executor::block_on,
    future::{Either, join_all, select},
    join,
    stream::{FuturesUnordered, StreamExt},
};
use probe::{Counted, CountingWaker, poll, within};
use step06_reactor::{Reactor, Timer, TimerError};

const LIMIT: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(10);
const LONG: Duration = Duration::from_secs(3_600);

/// Miri takes a thousand times as long for everything, and needs fewer of them to see what is wrong.
const fn few_under_miri(count: usize) -> usize {
    if cfg!(miri) { count / 100 } else { count }
}

fn on_both(test: impl Fn(Arc<Reactor>)) {
    for new in [Reactor::with_thread_per_timer, Reactor::new] {
        within(LIMIT, || test(new()));
        if cfg!(miri) {
            // Miri wants every thread to end before the test does. Its clock is not real, so this costs nothing.
            thread::sleep(Duration::from_secs(1));
        }
    }
}

#[test]
fn a_timer_is_never_early_and_takes_two_polls() {
    on_both(|reactor| {
        let start = Instant::now();
        let timer = Counted::new(Timer::new(&reactor, SHORT));
        let counts = timer.counts();
        assert_eq!(block_on(timer), Ok(()));
        assert!(start.elapsed() >= SHORT);
        assert_eq!(counts.polls(), 2);
    });
}

#[test]
fn its_time_runs_from_the_first_poll() {
    on_both(|reactor| {
        let timer = Timer::new(&reactor, SHORT);
        assert_eq!(reactor.waiting(), 0);
        thread::sleep(2 * SHORT);
        let start = Instant::now();
        assert_eq!(block_on(timer), Ok(()));
        assert!(start.elapsed() >= SHORT);
    });
}

#[test]
fn a_short_timer_that_starts_after_a_long_one_finishes_first() {
    on_both(|reactor| {
        let long = pin!(Timer::new(&reactor, LONG));
        let short = pin!(async {
            Timer::new(&reactor, SHORT).await.unwrap();
            Timer::new(&reactor, SHORT).await
        });
        match block_on(select(long, short)) {
            Either::Left(_) => panic!("an hour is over"),
            Either::Right((result, _)) => assert_eq!(result, Ok(())),
        }
    });
}

#[test]
fn zero_is_ready_at_once_and_a_nanosecond_ends_too() {
    on_both(|reactor| {
        let mut zero = Timer::new(&reactor, Duration::ZERO);
        assert_eq!(poll(&mut zero, Waker::noop()), Poll::Ready(Ok(())));
        for _ in 0..few_under_miri(200) {
            assert_eq!(
                block_on(Timer::new(&reactor, Duration::from_nanos(1))),
                Ok(())
            );
        }
    });
}

#[test]
fn the_longest_duration_waits_and_ends_with_the_reactor() {
    on_both(|reactor| {
        let mut longest = Timer::new(&reactor, Duration::MAX);
        assert_eq!(poll(&mut longest, Waker::noop()), Poll::Pending);
        assert_eq!(reactor.waiting(), 1);
        drop(reactor);
        assert_eq!(block_on(longest), Err(TimerError::ReactorGone));
    });
}

#[test]
fn polled_after_it_was_ready_it_says_the_same_again() {
    on_both(|reactor| {
        let mut timer = Timer::new(&reactor, SHORT);
        assert_eq!(block_on(&mut timer), Ok(()));
        drop(reactor);
        assert_eq!(poll(&mut timer, Waker::noop()), Poll::Ready(Ok(())));
    });
}

#[test]
fn dropped_early_a_timer_leaves_the_reactor_with_its_waker() {
    on_both(|reactor| {
        let waker = CountingWaker::new();
        let count = if cfg!(miri) { 5 } else { 100 };
        let mut timers: Vec<_> = (0..count).map(|_| Timer::new(&reactor, LONG)).collect();
        for timer in &mut timers {
            assert_eq!(poll(timer, &waker.waker()), Poll::Pending);
        }
        assert_eq!((reactor.waiting(), waker.live()), (count, count));
        drop(timers);
        assert_eq!((reactor.waiting(), waker.live()), (0, 0));
        assert_eq!(waker.wakes(), 0);
        // And the reactor still works.
        assert_eq!(block_on(Timer::new(&reactor, SHORT)), Ok(()));
    });
}

#[test]
fn a_finished_timer_leaves_the_reactor() {
    on_both(|reactor| {
        for _ in 0..few_under_miri(500) {
            block_on(Timer::new(&reactor, Duration::from_micros(10))).unwrap();
        }
        assert_eq!(reactor.waiting(), 0);
    });
}

#[test]
fn dropping_the_reactor_ends_every_timer_with_an_error() {
    on_both(|reactor| {
        let count = if cfg!(miri) { 5 } else { 100 };
        let timers = join_all((0..count).map(|_| Timer::new(&reactor, LONG)));
        let dropping = async { drop(reactor) };
        let (results, ()) = block_on(async { join!(timers, dropping) });
        assert_eq!(results, vec![Err(TimerError::ReactorGone); count]);
    });
}

#[test]
fn first_polled_after_the_reactor_is_gone_it_is_an_error() {
    on_both(|reactor| {
        let timer = Timer::new(&reactor, SHORT);
        drop(reactor);
        assert_eq!(block_on(timer), Err(TimerError::ReactorGone));
    });
}

/// Drops the reactor when it is woken: on the thread that wakes.
struct DropsTheReactor {
    reactor: Mutex<Option<Arc<Reactor>>>,
    done: mpsc::Sender<()>,
}

impl Wake for DropsTheReactor {
    fn wake(self: Arc<Self>) {
        drop(self.reactor.lock().unwrap().take());
        self.done.send(()).unwrap();
    }
}

#[test]
fn the_reactor_may_be_dropped_on_its_own_thread() {
    on_both(|reactor| {
        let (done, dropped) = mpsc::channel();
        let (mut short, mut long) = (Timer::new(&reactor, SHORT), Timer::new(&reactor, LONG));
        assert_eq!(poll(&mut long, Waker::noop()), Poll::Pending);
        let reactor = Mutex::new(Some(reactor));
        let waker = Waker::from(Arc::new(DropsTheReactor { reactor, done }));
        assert_eq!(poll(&mut short, &waker), Poll::Pending);
        drop(waker);
        dropped.recv().unwrap();
        assert_eq!(block_on(short), Ok(()));
        assert_eq!(block_on(long), Err(TimerError::ReactorGone));
    });
}

/// Starts another timer on the reactor when it is woken: on the reactor's thread.
struct StartsAnother {
    reactor: Arc<Reactor>,
    started: mpsc::Sender<Timer>,
}

impl Wake for StartsAnother {
    fn wake(self: Arc<Self>) {
        let mut another = Timer::new(&self.reactor, SHORT);
        assert_eq!(poll(&mut another, Waker::noop()), Poll::Pending);
        self.started.send(another).unwrap();
    }
}

#[test]
fn a_waker_may_use_the_reactor_that_wakes_it() {
    on_both(|reactor| {
        let (started, another) = mpsc::channel();
        let mut timer = Timer::new(&reactor, SHORT);
        let waker = Waker::from(Arc::new(StartsAnother { reactor, started }));
        assert_eq!(poll(&mut timer, &waker), Poll::Pending);
        assert_eq!(block_on(another.recv().unwrap()), Ok(()));
    });
}

struct Panics;

impl Wake for Panics {
    fn wake(self: Arc<Self>) {
        panic::panic_any(PanicsWhenDropped);
    }
}

struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic::panic_any(()); // has no size, so nothing leaks when it is forgotten
    }
}

#[test]
fn a_waker_that_panics_harms_no_other_timer() {
    on_both(|reactor| {
        let waker = Waker::from(Arc::new(Panics));
        let (mut short, mut long) = (Timer::new(&reactor, SHORT), Timer::new(&reactor, LONG));
        assert_eq!(poll(&mut short, &waker), Poll::Pending);
        assert_eq!(poll(&mut long, &waker), Poll::Pending);
        assert_eq!(block_on(Timer::new(&reactor, 3 * SHORT)), Ok(()));
        assert_eq!(block_on(short), Ok(()));
        let mut last = Timer::new(&reactor, LONG);
        let counting = CountingWaker::new();
        assert_eq!(poll(&mut last, &counting.waker()), Poll::Pending);
        drop(reactor);
        assert_eq!(counting.wakes(), 1);
        assert_eq!(block_on(long), Err(TimerError::ReactorGone));
    });
}

#[test]
fn a_panic_while_timers_are_pending_is_one_panic() {
    on_both(|reactor| {
        let unwinding = AssertUnwindSafe(|| {
            let mut timer = Timer::new(&reactor, LONG);
            assert_eq!(poll(&mut timer, Waker::noop()), Poll::Pending);
            let _reactor = reactor;
            panic!("this panic belongs to the test");
        });
        let message = panic::catch_unwind(unwinding).unwrap_err();
        assert_eq!(
            message.downcast_ref(),
            Some(&"this panic belongs to the test")
        );
    });
}

#[test]
fn a_thousand_joined_are_each_polled_twice() {
    on_both(|reactor| {
        let timer = |_| Counted::new(Timer::new(&reactor, SHORT));
        // Polls only those that were woken, which `join_all` does for more than 30 futures alone.
        let timers: FuturesUnordered<_> = (0..few_under_miri(1_000)).map(timer).collect();
        let counts: Vec<_> = timers.iter().map(Counted::counts).collect();
        for result in block_on(timers.collect::<Vec<_>>()) {
            assert_eq!(result, Ok(()));
        }
        for counts in counts {
            assert_eq!((counts.polls(), counts.drops()), (2, 1));
        }
        assert_eq!(reactor.waiting(), 0);
    });
}

#[test]
fn joined_two_timers_overlap_and_in_a_row_they_do_not() {
    on_both(|reactor| {
        let nap = || Timer::new(&reactor, LONG);
        let mut cx = Context::from_waker(Waker::noop());
        let mut joined = Box::pin(async { join!(nap(), nap()) });
        assert!(joined.as_mut().poll(&mut cx).is_pending());
        assert_eq!(reactor.waiting(), 2);
        drop(joined);
        let mut in_a_row = Box::pin(async { (nap().await, nap().await) });
        assert!(in_a_row.as_mut().poll(&mut cx).is_pending());
        assert_eq!(reactor.waiting(), 1);
    });
}
