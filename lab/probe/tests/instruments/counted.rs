//! A future that counts.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    task::Waker,
};

use why_pending::{Counted, poll};

#[test]
fn a_future_that_is_never_polled_is_dropped_once() {
    let future = Counted::new(std::future::pending::<()>());
    let counts = future.counts();
    assert_eq!(counts.drops(), 0);
    drop(future);
    assert_eq!((counts.polls(), counts.drops()), (0, 1));
}

#[test]
fn the_future_lives_until_its_owner_drops_it_even_when_ready() {
    let mut future = Counted::new(async {});
    let counts = future.counts();
    assert!(poll(&mut future, Waker::noop()).is_ready());
    assert_eq!((counts.completions(), counts.drops()), (1, 0));
    drop(future);
    assert_eq!(counts.drops(), 1);
}

#[test]
fn a_poll_after_ready_is_counted_and_does_not_reach_the_future() {
    let mut future = Counted::new(async {});
    assert!(poll(&mut future, Waker::noop()).is_ready());
    assert!(
        poll(&mut future, Waker::noop()).is_pending(),
        "an async block would have panicked"
    );
    let counts = future.counts();
    assert_eq!(
        (
            counts.polls(),
            counts.polls_after_ready(),
            counts.completions()
        ),
        (2, 1, 1)
    );
}

#[test]
fn a_panic_is_counted_and_goes_on() {
    let mut future = Counted::new(async { panic!("on purpose") });
    let counts = future.counts();
    assert!(catch_unwind(AssertUnwindSafe(|| poll(&mut future, Waker::noop()))).is_err());
    assert_eq!(
        (counts.polls(), counts.panics(), counts.completions()),
        (1, 1, 0)
    );
}

#[test]
fn a_destructor_that_panics_still_counts_as_one_drop() {
    struct Bad;
    impl Drop for Bad {
        fn drop(&mut self) {
            panic!("on purpose");
        }
    }
    let bad = Bad;
    let future = Counted::new(async move { drop(bad) });
    let counts = future.counts();
    assert!(catch_unwind(AssertUnwindSafe(|| drop(future))).is_err());
    assert_eq!(counts.drops(), 1);
}
