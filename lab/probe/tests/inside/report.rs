//! A message without the lines that it looks for.

use std::{
    future::poll_fn,
    pin::pin,
    task::{Poll, Waker},
};

use super::*;
use crate::{
    judge::looks::{Look, Subject},
    see::{roll::Roll, scope, watch::watched},
};

#[test]
#[cfg_attr(miri, ignore = "Miri does not resolve the number of an address")]
fn lines_that_are_not_found_in_time_are_said_to_be_missing() {
    let roll = Arc::new(Roll::default());
    let said = scope::with_roll(&roll, || {
        let mut keeps = pin!(watched(poll_fn(|cx| {
            std::mem::forget(cx.waker().clone());
            Poll::<()>::Pending
        })));
        assert!(crate::poll(&mut keeps, Waker::noop()).is_pending());
        let first = Look::at(&roll, Subject::Everything);
        let second = roll.list();
        let tasks = first.compare(&second, Subject::Everything);
        assert!(crate::poll(&mut keeps, Waker::noop()).is_pending());
        let (poke, made) = (&tasks[0].task.poke, tasks[0].task.made);
        poke.gives_up(Duration::from_secs(60));
        poke.read(made);
        Report {
            occasion: Occasion::Asked,
            caller: &Place::here(),
            tasks: &tasks,
            lists: [&first.list, &second],
        }
        .text()
    });
    for right in [
        "could not be looked up within 60 s",
        "it is not known in which call it waits",
    ] {
        assert!(said.contains(right), "{said}");
    }
    assert!(!said.contains("has done its part"), "{said}");
}
