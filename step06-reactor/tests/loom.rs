//! A timer is polled, finished, dropped and cut off by two or three threads, and loom tries every order of these, without
//! a bound.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p step06-reactor --test loom --target-dir target/loom`
#![cfg(loom)]

use std::{future::poll_fn, task::Waker};

use loom::{future::block_on, sync::Arc, thread};
use step06_reactor::{TimerError, Timers};

#[test]
fn a_timer_that_finishes_is_never_missed() {
    loom::model(|| {
        let timers = Arc::new(Timers::default());
        let id = timers.register(Waker::noop()).unwrap();
        let finishing = {
            let timers = timers.clone();
            thread::spawn(move || timers.finish(id, Ok(())))
        };
        // A lost wake-up is a deadlock here, and loom reports it.
        assert_eq!(block_on(poll_fn(|cx| timers.poll(id, cx))), Ok(()));
        finishing.join().unwrap();
    });
}

#[test]
fn the_end_of_the_reactor_is_never_missed() {
    loom::model(|| {
        let timers = Arc::new(Timers::default());
        let id = timers.register(Waker::noop()).unwrap();
        let finishing = {
            let timers = timers.clone();
            thread::spawn(move || timers.finish(id, Ok(())))
        };
        let closing = {
            let timers = timers.clone();
            thread::spawn(move || timers.close())
        };
        let result = block_on(poll_fn(|cx| timers.poll(id, cx)));
        assert!(matches!(result, Ok(()) | Err(TimerError::ReactorGone)));
        finishing.join().unwrap();
        closing.join().unwrap();
    });
}

#[test]
fn registered_while_the_reactor_ends_it_is_refused_or_ended() {
    loom::model(|| {
        let timers = Arc::new(Timers::default());
        let closing = {
            let timers = timers.clone();
            thread::spawn(move || timers.close())
        };
        if let Ok(id) = timers.register(Waker::noop()) {
            let result = block_on(poll_fn(|cx| timers.poll(id, cx)));
            assert_eq!(result, Err(TimerError::ReactorGone));
        }
        closing.join().unwrap();
    });
}

#[test]
fn dropped_while_it_finishes_it_leaves_nothing() {
    loom::model(|| {
        let timers = Arc::new(Timers::default());
        let id = timers.register(Waker::noop()).unwrap();
        let finishing = {
            let timers = timers.clone();
            thread::spawn(move || timers.finish(id, Ok(())))
        };
        drop(timers.remove(id));
        finishing.join().unwrap();
        assert!(timers.is_empty());
    });
}
