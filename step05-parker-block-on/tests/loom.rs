//! Every order in which one thread can go to sleep while another calls it, tried by loom.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p step05-parker-block-on --test loom --target-dir target/loom`
#![cfg(loom)]

use std::{future::poll_fn, task::Waker};

use loom::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};
use step05_parker_block_on::{Parker, Signal, block_on_with, waker::v1_by_hand};

#[test]
fn a_call_is_never_lost_and_brings_what_was_done_before_it() {
    loom::model(|| {
        let parker = Arc::new(Parker::default());
        let done = Arc::new(AtomicBool::new(false));
        let (caller, doing) = (parker.clone(), done.clone());
        let calling = thread::spawn(move || {
            doing.store(true, Ordering::Relaxed);
            caller.unpark();
        });
        // A lost call is a deadlock here, and loom reports it.
        parker.park();
        assert!(done.load(Ordering::Relaxed));
        calling.join().unwrap();
    });
}

#[test]
fn nor_are_two_calls_one_of_which_may_come_late() {
    loom::model(|| {
        let parker = Arc::new(Parker::default());
        let calling = [(); 2].map(|()| {
            let caller = parker.clone();
            thread::spawn(move || caller.unpark())
        });
        parker.park();
        for thread in calling {
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
            let caller = parker.clone();
            thread::spawn(move || caller.unpark())
        };
        parker.park();
        // This park may have seen the flag before `first` has notified. Then the notification comes now.
        let second = {
            let (caller, doing) = (parker.clone(), done.clone());
            thread::spawn(move || {
                doing.store(true, Ordering::Relaxed);
                caller.unpark();
            })
        };
        parker.park();
        assert!(done.load(Ordering::Relaxed));
        first.join().unwrap();
        second.join().unwrap();
    });
}

fn block_on_a_signal(waker_for: fn(std::sync::Arc<Parker>) -> Waker) {
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
