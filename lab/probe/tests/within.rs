//! The watchdog when there is nothing to say, and who belongs to whom.

use std::{
    cell::Cell,
    panic::{catch_unwind, resume_unwind},
    rc::Rc,
    thread,
    time::Duration,
};

const LONG: Duration = Duration::from_secs(60);

#[test]
fn it_returns_what_the_closure_returns_on_the_calling_thread() {
    let not_send = Rc::new(Cell::new(0));
    let caller = thread::current().id();
    let ran_on = probe::within(LONG, || {
        not_send.set(7);
        thread::current().id()
    });
    assert_eq!((not_send.get(), ran_on), (7, caller));
}

#[test]
fn a_panic_goes_on_with_its_payload() {
    let result = catch_unwind(|| probe::within(LONG, || resume_unwind(Box::new(7))));
    assert_eq!(result.unwrap_err().downcast_ref(), Some(&7));
}

#[test]
fn it_does_not_wait_for_its_limit() {
    for _ in 0..if cfg!(miri) { 10 } else { 100 } {
        probe::within(LONG, || ());
    }
}

#[test]
fn it_may_be_used_inside_itself_and_by_many_threads() {
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| probe::within(LONG, || probe::within(LONG, || ())));
        }
    });
}
