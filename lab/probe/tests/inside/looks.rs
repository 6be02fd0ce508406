//! The third look: what a run that goes on has polled since the second.

use std::{
    future::pending,
    pin::Pin,
    sync::Arc,
    task::{Context, Waker},
};

use super::*;
use crate::see::{scope, watch::watched};

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
