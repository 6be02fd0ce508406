//! The third look: what a run that goes on has polled since the second.

use std::{
    future::{pending, poll_fn},
    pin::{Pin, pin},
    sync::{Arc, mpsc},
    task::{Context, Poll, Waker},
    thread,
};

use super::*;
use crate::see::{place::Doing, scope, watch::watched};

/// Polls the second of two futures after the second look, and the first before it if `goes_on`. Which of them are stuck at last?
fn stuck(goes_on: bool) -> [bool; 2] {
    let roll = Arc::new(Roll::default());
    scope::with_roll(&roll, || {
        let mut futures = [watched(pending::<()>()), watched(pending::<()>())];
        let mut poll = |number: usize| {
            let future = Pin::new(&mut futures[number]);
            assert!(
                future
                    .poll(&mut Context::from_waker(Waker::noop()))
                    .is_pending()
            );
        };
        poll(0);
        poll(1);
        let first = Look::at(&roll, Subject::Everything);
        if goes_on {
            poll(0);
        }
        let mut all = first.compare(&roll.list(), Subject::Everything);
        poll(1);
        Looks::look_again(&mut all);
        [&all[0], &all[1]].map(Looks::is_stuck)
    })
}

#[test]
fn what_is_polled_while_it_is_examined_is_not_stuck() {
    assert_eq!(stuck(true), [false, false]);
}

/// Only what the watchdog has done can have moved it.
#[test]
fn in_a_run_that_stands_still_the_third_look_says_nothing() {
    assert_eq!(stuck(false), [true, true]);
}

/// The second look was inside of a poll. What its thread does later says nothing of that poll, and the run goes on.
#[cfg(not(miri))]
#[test]
fn a_poll_that_returns_while_it_is_examined_does_not_block() {
    let roll = Arc::new(Roll::default());
    scope::with_roll(&roll.clone(), || {
        let (begins, has_begun) = mpsc::channel();
        let (returns, may_return) = mpsc::channel::<()>();
        let (ends, is_over) = mpsc::channel::<()>();
        let long = watched(poll_fn(move |_| {
            let _ = begins.send(());
            let _ = may_return.recv();
            Poll::<()>::Pending
        }));
        let mut other = pin!(watched(pending::<()>()));
        let mut poll = || other.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        thread::scope(move |scope| {
            scope.spawn(move || {
                let is_pending = crate::poll(&mut pin!(long), Waker::noop()).is_pending();
                let _ = is_over.recv();
                is_pending
            });
            has_begun.recv().unwrap();
            assert!(poll().is_pending());
            let first = Look::at(&roll, Subject::Everything);
            let mut all = first.compare(&roll.list(), Subject::Everything);
            assert!(all[0].is_still_inside());
            let State::Polling(place) = all[0].now.state.clone() else {
                unreachable!("its poll waits for this thread");
            };
            drop(returns);
            while all[0].is_still_inside() || place.doing() == Some(Doing::Runs) {
                thread::yield_now();
            }
            assert!(all[0].stack().is_none());
            assert!(poll().is_pending());
            Looks::look_again(&mut all);
            assert!(all[0].has_returned);
            assert_eq!([&all[0], &all[1]].map(Looks::is_stuck), [false, false]);
            drop(ends);
        });
    });
}
