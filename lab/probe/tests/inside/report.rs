//! A message without the lines that it looks for.

use std::{
    future::{poll_fn, ready},
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

/// Some of them were dropped since, so that only their names are known. The last one is still there.
#[test]
fn futures_that_are_ready_are_named_if_they_are_few() {
    let named = [1, 5, 6, 7].map(|many| {
        let roll = Arc::new(Roll::default());
        scope::with_roll(&roll, || {
            let futures = (1..=many).map(|number| {
                let mut future = Box::pin(crate::watch(number.to_string(), ready(())));
                assert!(crate::poll(&mut future.as_mut(), Waker::noop()).is_ready());
                future
            });
            let mut futures: Vec<_> = futures.collect();
            let _last = futures.pop();
            drop(futures);
            let first = Look::at(&roll, Subject::Everything);
            let second = roll.list();
            let report = Report {
                occasion: Occasion::Asked,
                caller: &Place::here(),
                tasks: &first.compare(&second, Subject::Everything),
                lists: [&first.list, &second],
            };
            let said = report.watched();
            assert!(said.contains(&format!(", {many} ready")), "{said}");
            said.matches("task ").count()
        })
    });
    assert_eq!(named, [1, FEW, 0, 0]);
}
