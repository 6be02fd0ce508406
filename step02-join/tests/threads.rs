//! One thread for each timer, from its first poll until it is over or is dropped.
//!
//! In a process of its own, whose threads it counts.

// Miri does not count threads.
#![cfg(not(miri))]

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use probe::within;
use step02_join::{Either, Poll, Race, SimpleFuture, Timer};

/// Pending at its first poll, ready at its second.
struct Gate(bool);

impl SimpleFuture for Gate {
    type Output = ();

    fn poll(&mut self, _: fn()) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

#[test]
fn a_timer_has_one_thread_for_as_long_as_it_waits() {
    static WAKES: AtomicUsize = AtomicUsize::new(0);
    fn wake() {
        WAKES.fetch_add(1, Ordering::SeqCst);
    }
    probe::alone(|| {
        within(Duration::from_secs(10), || {
            let before = probe::threads();
            let mut timers: Vec<_> = (0..20).map(|_| Timer::new(Duration::MAX)).collect();
            assert_eq!(Timer::threads_started(), 0, "none before the first poll");
            for _ in 0..100 {
                for timer in &mut timers {
                    assert_eq!(timer.poll(wake), Poll::Pending);
                }
            }
            assert_eq!(Timer::threads_started(), 20, "none but at the first poll");
            drop(timers);
            probe::wait_until(|| probe::threads() == before);
            assert_eq!(WAKES.load(Ordering::SeqCst), 0, "none after the drop");

            // The same for one that loses a race.
            let mut race = Race::new(Timer::new(Duration::MAX), Gate(false));
            assert_eq!(race.poll(wake), Poll::Pending);
            assert_eq!(probe::threads(), before.map(|threads| threads + 1));
            assert_eq!(race.poll(wake), Poll::Ready(Either::Right(())));
            probe::wait_until(|| probe::threads() == before);
            assert_eq!(WAKES.load(Ordering::SeqCst), 0, "none by the loser");
        });
    });
}
