//! The orders in which one thread can go to sleep while another unparks it, and those in which a signal is polled and fired,
//! tried by loom. No bound is set, so loom tries all orders that its model knows.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p step05-parker-block-on --test loom --target-dir target/loom`
#![cfg(loom)]

use std::{
    future::poll_fn,
    sync::Arc as StdArc,
    task::{Context, Poll, Wake, Waker},
};

use loom::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};
use step05_parker_block_on::{Parker, Signal, block_on_with, waker::v1_by_hand};

#[test]
fn an_unpark_is_never_lost_and_what_came_before_it_is_seen() {
    loom::model(|| {
        let parker = Arc::new(Parker::default());
        let done = Arc::new(AtomicBool::new(false));
        let (unparker, doing) = (parker.clone(), done.clone());
        let unparking = thread::spawn(move || {
            doing.store(true, Ordering::Relaxed);
            unparker.unpark();
        });
        // A lost unpark is a deadlock here, and loom reports it.
        parker.park();
        assert!(done.load(Ordering::Relaxed));
        unparking.join().unwrap();
    });
}

#[test]
fn one_of_two_unparks_may_come_late() {
    loom::model(|| {
        let parker = Arc::new(Parker::default());
        let unparking = [(); 2].map(|()| {
            let unparker = parker.clone();
            thread::spawn(move || unparker.unpark())
        });
        parker.park();
        for thread in unparking {
            thread.join().unwrap();
        }
    });
}

#[test]
fn a_notification_that_comes_late_ends_no_later_sleep() {
    loom::model(|| {
        let parker = Arc::new(Parker::default());
        let done = Arc::new(AtomicBool::new(false));
        let first = {
            let unparker = parker.clone();
            thread::spawn(move || unparker.unpark())
        };
        parker.park();
        // This park may have seen the token before `first` has notified. Then the notification comes now.
        let second = {
            let (unparker, doing) = (parker.clone(), done.clone());
            thread::spawn(move || {
                doing.store(true, Ordering::Relaxed);
                unparker.unpark();
            })
        };
        parker.park();
        assert!(done.load(Ordering::Relaxed));
        first.join().unwrap();
        second.join().unwrap();
    });
}

fn block_on_a_signal(waker_for: fn(StdArc<Parker>) -> Waker) {
    loom::model(move || {
        let signal = Arc::new(Signal::default());
        let other_end = signal.clone();
        let firing = thread::spawn(move || other_end.fire());
        block_on_with(waker_for, poll_fn(|cx| signal.poll_fired(cx)));
        firing.join().unwrap();
    });
}

#[test]
fn block_on_misses_no_signal_with_a_waker_by_hand() {
    block_on_a_signal(v1_by_hand::waker);
}

#[test]
fn block_on_misses_no_signal_with_a_waker_by_wake() {
    block_on_a_signal(Waker::from);
}

struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: StdArc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn counting() -> (StdArc<Wakes>, Waker) {
    let wakes = StdArc::new(Wakes(AtomicUsize::new(0)));
    (StdArc::clone(&wakes), Waker::from(wakes))
}

#[test]
fn the_waker_of_the_latest_pending_poll_is_woken_once() {
    loom::model(|| {
        let signal = Arc::new(Signal::default());
        let other_end = Arc::clone(&signal);
        let firing = thread::spawn(move || other_end.fire());
        let ((_, first), (second_wakes, second)) = (counting(), counting());
        let _ = signal.poll_fired(&mut Context::from_waker(&first));
        let answer = signal.poll_fired(&mut Context::from_waker(&second));
        firing.join().unwrap();
        let woken = second_wakes.0.load(Ordering::SeqCst);
        assert_eq!(woken, usize::from(answer == Poll::Pending));
    });
}
