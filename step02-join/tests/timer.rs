//! The timer that the demo waits for.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use probe::within;
use step02_join::{Join, Poll, RunLoop, SimpleFuture, Timer};

const LIMIT: Duration = Duration::from_secs(10);
const SHORT: Duration = Duration::from_millis(10);

#[test]
fn it_is_never_early() {
    within(LIMIT, || {
        let start = Instant::now();
        RunLoop::new([Timer::new(SHORT)]).run();
        assert!(start.elapsed() >= SHORT);
    });
}

#[test]
fn its_time_runs_from_the_first_poll() {
    within(LIMIT, || {
        let timer = Timer::new(SHORT);
        thread::sleep(2 * SHORT);
        let start = Instant::now();
        RunLoop::new([timer]).run();
        assert!(start.elapsed() >= SHORT);
    });
}

#[test]
fn zero_is_ready_at_the_first_poll() {
    assert_eq!(Timer::new(Duration::ZERO).poll(|| {}), Poll::Ready(()));
}

#[test]
fn the_longest_duration_is_pending_and_may_be_dropped() {
    let mut timer = Timer::new(Duration::MAX);
    assert_eq!(timer.poll(|| {}), Poll::Pending);
}

#[test]
fn the_latest_wake_is_called_and_no_other() {
    static EARLIER: AtomicUsize = AtomicUsize::new(0);
    static LATER: AtomicUsize = AtomicUsize::new(0);
    within(LIMIT, || {
        // Time enough for the second poll: if the machine sleeps through it, the timer is only ready sooner.
        let mut timer = Timer::new(Duration::from_millis(40));
        let first = timer.poll(|| {
            EARLIER.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!(first, Poll::Pending);
        let second = timer.poll(|| {
            LATER.fetch_add(1, Ordering::SeqCst);
        });
        if second.eq(&Poll::Pending) {
            probe::wait_until(|| LATER.load(Ordering::SeqCst) > 0);
            assert_eq!(EARLIER.load(Ordering::SeqCst), 0);
        }
        assert_eq!(timer.poll(|| {}), Poll::Ready(()));
    });
}

// The timer calls code that it does not control, so it may hold no lock, and it has to be ready by then.

#[test]
fn a_wake_may_poll_the_timer_that_calls_it() {
    static TIMER: Mutex<Option<Timer>> = Mutex::new(None);
    static ANSWER: Mutex<Option<Poll<()>>> = Mutex::new(None);
    fn wake() {
        let answer = TIMER.lock().unwrap().as_mut().unwrap().poll(wake);
        *ANSWER.lock().unwrap() = Some(answer);
    }
    within(LIMIT, || {
        let mut timer = Timer::new(SHORT);
        let mut place = TIMER.lock().unwrap();
        assert_eq!(timer.poll(wake), Poll::Pending);
        *place = Some(timer);
        drop(place);
        probe::wait_until(|| ANSWER.lock().unwrap().is_some());
        assert_eq!(*ANSWER.lock().unwrap(), Some(Poll::Ready(())));
    });
}

#[test]
fn a_wake_may_drop_the_timer_that_calls_it() {
    static TIMER: Mutex<Option<Timer>> = Mutex::new(None);
    within(LIMIT, || {
        let mut timer = Timer::new(SHORT);
        let mut place = TIMER.lock().unwrap();
        let dropped = timer.poll(|| drop(TIMER.lock().unwrap().take()));
        assert_eq!(dropped, Poll::Pending);
        *place = Some(timer);
        drop(place);
        probe::wait_until(|| TIMER.lock().unwrap().is_none());
    });
}

#[test]
fn a_wake_that_panics_leaves_the_timer_ready() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    within(LIMIT, || {
        let mut timer = Timer::new(SHORT);
        let first = timer.poll(|| {
            CALLS.fetch_add(1, Ordering::SeqCst);
            panic!("this panic belongs to the test");
        });
        assert_eq!(first, Poll::Pending);
        probe::wait_until(|| CALLS.load(Ordering::SeqCst) > 0);
        assert_eq!(timer.poll(|| {}), Poll::Ready(()));
    });
}

#[test]
fn fifty_side_by_side_are_never_early() {
    within(LIMIT, || {
        let start = Instant::now();
        let pair = |_| Join::new(Timer::new(SHORT), Timer::new(2 * SHORT));
        let pairs = if cfg!(miri) { 5 } else { 25 };
        RunLoop::new((0..pairs).map(pair)).run();
        assert!(start.elapsed() >= 2 * SHORT);
    });
}
