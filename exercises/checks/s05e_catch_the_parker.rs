use super::*;
use std::sync::{Condvar, Mutex};

mod wait;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Good,
    /// Forgets what came before its sleep.
    ForgetsAnEarlyUnpark,
    /// Has a number in place of a flag.
    CountsUnparks,
}

struct Parker {
    kind: Kind,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    unparks: usize,
    /// In `park`, and not unparked since.
    sleeps: bool,
}

impl Park for Parker {
    fn park(&self) {
        let mut state = self.state.lock().unwrap();
        if self.kind == Kind::ForgetsAnEarlyUnpark {
            state.unparks = 0;
        }
        state.sleeps = state.unparks == 0;
        self.changed.notify_all();
        let mut state = self
            .changed
            .wait_while(state, |state| state.unparks == 0)
            .unwrap();
        let left = state.unparks - 1;
        state.unparks = if self.kind == Kind::CountsUnparks {
            left
        } else {
            0
        };
    }

    fn unpark(&self) {
        let mut state = self.state.lock().unwrap();
        state.unparks += 1;
        state.sleeps = false;
        self.changed.notify_all();
    }

    fn wait_for_sleep(&self) {
        let state = self.state.lock().unwrap();
        drop(
            self.changed
                .wait_while(state, |state| !state.sleeps)
                .unwrap(),
        );
    }
}

/// Panics if the check lets this broken parker pass, or if it refuses the good one as well.
fn must_catch(kind: Kind, broken: &str, advice: &str) {
    let good = || complaint(Kind::Good);
    // The good parker before and after, because the answer of a check must not depend on how often it ran.
    let before = good();
    assert!(
        complaint(kind).is_some(),
        "your check did not catch {broken}. {advice}\n\
         A panic counts only on the thread that calls `check`. If a thread of yours asserts something, `join` it \
         and `unwrap` the result."
    );
    assert!(
        before.or_else(good).is_none(),
        "this test cannot tell whether your check catches {broken}, because the check does not let the good \
         parker pass either. Make `the_good_parker_passes` pass first.\n\
         If it passes already, then the answer of your check depends on how often it has run, or on how fast."
    );
}

/// `None` if the check returned. A thread that hangs in it is left behind.
fn complaint(kind: Kind) -> Option<&'static str> {
    let (state, changed) = Default::default();
    let parker: Arc<dyn Park> = Arc::new(Parker {
        kind,
        state,
        changed,
    });
    let checking = thread::spawn(move || check(&parker));
    if !wait::comes_true(|| checking.is_finished()) {
        return Some("it did not return within a second and a half");
    }
    let panicked = checking.join().is_err();
    panicked.then_some("it panicked, with the message above")
}

#[test]
fn the_good_parker_passes() {
    if let Some(complaint) = complaint(Kind::Good) {
        panic!(
            "your check refused the good parker: {complaint}. What does the check demand that `Park` does not say?"
        );
    }
}

#[test]
fn a_parker_that_forgets_an_early_unpark_is_caught() {
    must_catch(
        Kind::ForgetsAnEarlyUnpark,
        "the parker that forgets an early unpark",
        "Let `unpark` come before `park`.",
    );
}

#[test]
fn a_parker_that_counts_unparks_is_caught() {
    must_catch(
        Kind::CountsUnparks,
        "the parker that counts unparks",
        "After two unparks and one `park`, the next `park` must sleep.",
    );
}
