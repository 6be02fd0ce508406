//! Foreign code that panics: each of its calls once, and each line that should have caught a panic.

use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind},
};

use why_pending::foreign::{Foreign, Panics};

/// Two calls, of which neither keeps the other from being made.
fn two_calls(foreign: &Foreign) -> Vec<&'static str> {
    ["first", "second"]
        .into_iter()
        .filter(|call| foreign.on_its_own(|| foreign.call(call)).is_some())
        .collect()
}

#[test]
#[cfg_attr(miri, ignore = "there, not every call is tried")]
fn every_call_panics_in_one_run() {
    let runs: RefCell<Vec<Vec<&str>>> = RefCell::default();
    Panics::default().at_every_call(|foreign| {
        let without_a_panic = two_calls(foreign);
        assert_eq!(foreign.has_panicked(), without_a_panic.len() < 2);
        runs.borrow_mut().push(without_a_panic);
    });
    let runs = runs.into_inner();
    assert_eq!(
        runs,
        [vec!["first", "second"], vec!["second"], vec!["first"]]
    );
}

#[test]
#[cfg_attr(miri, ignore = "there, not every call is tried")]
fn every_call_panics_in_one_run_although_their_order_changes() {
    // For each run, which of two values has panicked as it was dropped.
    let runs: RefCell<Vec<[bool; 2]>> = RefCell::default();
    Panics::default().at_every_call(|foreign| {
        let mut values = [("first", foreign.value()), ("second", foreign.value())];
        if runs.borrow().len() % 2 == 1 {
            values.reverse();
        }
        let panicked =
            values.map(|(name, value)| (name, foreign.on_its_own(|| drop(value)).is_none()));
        let of = |name| panicked.contains(&(name, true));
        runs.borrow_mut().push([of("first"), of("second")]);
    });
    let runs = runs.into_inner();
    assert_eq!(runs, [[false, false], [true, false], [false, true]]);
}

#[test]
#[cfg_attr(
    miri,
    ignore = "there, not every call is tried, and backtraces are not taken"
)]
fn a_scenario_that_fails_names_the_call() {
    let fails = || Panics::default().at_every_call(|foreign| foreign.call("the call"));
    let message = catch_unwind(fails).unwrap_err();
    let message: &String = message.downcast_ref().unwrap();
    assert!(
        message.starts_with("foreign call 1 (the call) panicked at\n"),
        "{message}"
    );
    assert!(message.contains("foreign.rs:"), "{message}");
    assert!(
        message.ends_with("and the panic went on into the scenario"),
        "{message}"
    );

    let fails = || {
        Panics::default().at_every_call(|foreign| {
            assert_ne!(two_calls(foreign), ["first"]);
        });
    };
    let message = catch_unwind(fails).unwrap_err();
    let message: &String = message.downcast_ref().unwrap();
    assert!(message.starts_with("foreign call 2 (second)"), "{message}");
}

/// What these panics carry is dropped by `on_its_own`, so a panic on that way comes from there.
#[test]
fn every_call_of_foreign_code_may_be_its_turn() {
    let mut panics = Panics::default();
    panics.at_every_call(|foreign| {
        let hostile = foreign.waker();
        let waker = hostile.waker();
        let clone = foreign.on_its_own(|| waker.clone());
        foreign.on_its_own(|| clone.map(|waker| waker.wake()));
        foreign.on_its_own(|| drop(waker));
        let mut future = Box::pin(foreign.future(async { foreign.value() }));
        let answer =
            foreign.on_its_own(|| why_pending::poll(&mut future, std::task::Waker::noop()));
        foreign.on_its_own(|| drop(answer));
        foreign.on_its_own(|| drop(future));
        assert_eq!(hostile.live(), 0);
    });
}

/// The source of this very crate catches panics in two files.
#[test]
#[cfg_attr(miri, ignore = "there, backtraces are not taken")]
fn a_line_that_has_caught_no_panic_is_named() {
    let mut panics = Panics::default();
    panics.at_every_call(|foreign| _ = foreign.on_its_own(|| drop(foreign.value())));
    let folder = env!("CARGO_MANIFEST_DIR");
    let check = |others: &[&str]| {
        let checked = catch_unwind(AssertUnwindSafe(|| {
            panics.assert_reached_all(folder, others)
        }));
        checked.map_err(|message| message.downcast_ref::<String>().unwrap().clone())
    };
    let message = check(&[]).unwrap_err();
    assert!(message.contains("  src/foreign.rs:"), "{message}");
    assert_eq!(message.lines().count(), 1 + 5, "{message}");
    assert_eq!(check(&["foreign.rs", "within.rs"]), Ok(()));
}
