//! What 10,000 timers cost: threads and CPU time.
//!
//! In a process of its own, which both are counted for.

// Miri does not count threads.
#![cfg(not(miri))]

use std::{
    future::Future,
    panic::{self, AssertUnwindSafe},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    thread,
    time::Duration,
};

use futures::{executor::block_on, future::try_join_all};
use probe::{wait_until, within};
use step06_reactor::{Reactor, Timer};

const LIMIT: Duration = Duration::from_secs(60);
const LONG: Duration = Duration::from_secs(3_600);

#[test]
fn version_2_needs_one_thread_and_version_1_one_for_each_timer() {
    probe::alone(|| {
        within(LIMIT, || {
            let before = probe::threads();

            // Version 2: all of them at once.
            let reactor = Reactor::new();
            let timers = (0..10_000).map(|_| Timer::new(&reactor, Duration::from_millis(50)));
            block_on(try_join_all(timers)).unwrap();
            assert_eq!(Reactor::threads_started(), 1);

            // Asleep with 10,000 deadlines, it uses no CPU.
            let mut sleeping: Vec<_> = (0..10_000).map(|_| Timer::new(&reactor, LONG)).collect();
            poll_each(&mut sleeping);
            block_on(Timer::new(&reactor, Duration::from_millis(1))).unwrap(); // it has read all events by now
            let cpu = probe::cpu_time();
            thread::sleep(Duration::from_millis(50));
            let used = probe::cpu_time() - cpu;
            assert!(
                used < Duration::from_millis(25),
                "{used:?} of CPU in 50 ms of waiting"
            );

            // Its thread ends with the reactor, and not with the last timer.
            drop(reactor);
            wait_until(|| probe::threads() == before);
            drop(sleeping);

            // Version 1: a thread for each, gone when its timer is dropped.
            let reactor = Reactor::with_thread_per_timer();
            let mut sleeping: Vec<_> = (0..100).map(|_| Timer::new(&reactor, LONG)).collect();
            poll_each(&mut sleeping);
            wait_until(|| Reactor::threads_started() == 102);
            drop(sleeping);
            wait_until(|| probe::threads() == before.map(|threads| threads + 1));

            // Gone too if the waker panics as it is dropped with the timer.
            for _ in 0..3 {
                let mut timer = Timer::new(&reactor, LONG);
                let waker = Waker::from(Arc::new(PanicsWhenDropped));
                let polled = Pin::new(&mut timer).poll(&mut Context::from_waker(&waker));
                assert_eq!(polled, Poll::Pending);
                drop(waker);
                assert!(panic::catch_unwind(AssertUnwindSafe(|| drop(timer))).is_err());
            }
            wait_until(|| Reactor::threads_started() == 105);

            // A task that is woken by a thread finds that thread counted.
            for started in 106..406 {
                block_on(Timer::new(&reactor, Duration::from_nanos(1))).unwrap();
                assert_eq!(Reactor::threads_started(), started);
            }
            wait_until(|| probe::threads() == before.map(|threads| threads + 1));

            // And gone when the reactor is.
            let mut sleeping: Vec<_> = (0..100).map(|_| Timer::new(&reactor, LONG)).collect();
            poll_each(&mut sleeping);
            drop(reactor);
            wait_until(|| probe::threads() == before);
        });
    });
}

fn poll_each(timers: &mut [Timer]) {
    let mut cx = Context::from_waker(Waker::noop());
    for timer in timers {
        assert_eq!(Pin::new(timer).poll(&mut cx), Poll::Pending);
    }
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
