//! Why a task has no output, in words and as a value.

use std::{
    error::Error,
    panic::{AssertUnwindSafe, catch_unwind, panic_any, resume_unwind},
    task::{Poll, Waker},
};

use probe::within;
use step08_join_handle::JoinError;

use super::bench::{Bench, LIMIT};

fn error_of(bench: &Bench) -> JoinError {
    bench.tick();
    match bench.poll_handle(Waker::noop()) {
        Poll::Ready(Err(error)) => error,
        _ => panic!("the task has no output"),
    }
}

fn panics_with(panics: fn()) -> JoinError {
    error_of(&Bench::new(move |_, _| {
        panics();
        Poll::Pending
    }))
}

fn cancelled() -> JoinError {
    let bench = Bench::pending();
    bench.abort();
    error_of(&bench)
}

#[test]
fn it_says_the_message_of_the_panic_if_there_is_one() {
    within(LIMIT, || {
        let text = panics_with(|| panic!("no answer"));
        assert_eq!(text.to_string(), "the task panicked: no answer");
        let string = panics_with(|| panic_any("no answer to 42".to_owned()));
        assert_eq!(string.to_string(), "the task panicked: no answer to 42");
        let other = panics_with(|| panic_any(42));
        assert_eq!(other.to_string(), "the task panicked");
        assert_eq!(cancelled().to_string(), "the task was cancelled");
        assert_eq!(
            format!("{text:?} {:?}", cancelled()),
            "JoinError(the task panicked: no answer) JoinError(the task was cancelled)"
        );
    });
}

#[test]
fn it_is_a_panic_or_a_cancellation_and_never_both() {
    within(LIMIT, || {
        let panicked = panics_with(|| panic!("no answer"));
        assert_eq!(
            (panicked.is_panic(), panicked.is_cancelled()),
            (true, false)
        );
        let cancelled = cancelled();
        assert_eq!(
            (cancelled.is_panic(), cancelled.is_cancelled()),
            (false, true)
        );
    });
}

#[test]
fn it_gives_out_the_payload_with_which_the_panic_may_go_on() {
    within(LIMIT, || {
        let error = panics_with(|| panic_any(42));
        let payload = error.into_panic();
        let again = catch_unwind(AssertUnwindSafe(|| resume_unwind(payload))).unwrap_err();
        assert_eq!(again.downcast_ref::<i32>(), Some(&42));
    });
}

#[test]
fn of_a_cancelled_task_there_is_no_payload_to_give_out() {
    within(LIMIT, || {
        let error = cancelled();
        let refused = catch_unwind(AssertUnwindSafe(|| error.into_panic())).unwrap_err();
        assert_eq!(
            refused.downcast_ref::<&str>(),
            Some(&"`into_panic` was called, but the task was cancelled")
        );
    });
}

#[test]
fn threads_may_share_it() {
    fn may_be_shared<E: Error + Send + Sync + 'static>(_: &E) {}
    within(LIMIT, || may_be_shared(&cancelled()));
}
