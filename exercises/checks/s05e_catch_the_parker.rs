use super::*;
use std::sync::{Condvar, Mutex};
use step05_parker_block_on::Parker;

mod wait;

struct Good(Parker);

impl Park for Good {
    fn park(&self) {
        self.0.park();
    }
    fn unpark(&self) {
        self.0.unpark();
    }
}

/// Has a flag, and sets it to `false` before it sleeps.
#[derive(Default)]
struct ForgetsAnEarlyUnpark {
    token: Mutex<bool>,
    changed: Condvar,
}

impl Park for ForgetsAnEarlyUnpark {
    fn park(&self) {
        let mut token = self.token.lock().unwrap();
        *token = false;
        while !*token {
            token = self.changed.wait(token).unwrap();
        }
    }
    fn unpark(&self) {
        *self.token.lock().unwrap() = true;
        self.changed.notify_one();
    }
}

/// Has a number in place of a flag.
#[derive(Default)]
struct CountsUnparks {
    unparks: Mutex<usize>,
    changed: Condvar,
}

impl Park for CountsUnparks {
    fn park(&self) {
        let mut unparks = self.unparks.lock().unwrap();
        while *unparks == 0 {
            unparks = self.changed.wait(unparks).unwrap();
        }
        *unparks -= 1;
    }
    fn unpark(&self) {
        *self.unparks.lock().unwrap() += 1;
        self.changed.notify_one();
    }
}

/// Panics if the check lets this broken parker pass, or if it refuses the good one as well.
fn must_catch<P: Park + Default + 'static>(broken: &str, advice: &str) {
    let good = || complaint(Good(Parker::default()));
    // The good parker before and after, because the answer of a check must not depend on how often it ran.
    let before = good();
    // Three tries, because on a machine that stalls for a moment a broken parker may look like a good one.
    let caught = (0..3).any(|_| complaint(P::default()).is_some());
    assert!(
        caught,
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
fn complaint(parker: impl Park + 'static) -> Option<&'static str> {
    let parker = Arc::new(parker) as Arc<dyn Park>;
    let checking = thread::spawn(move || check(&parker));
    if !wait::comes_true(|| checking.is_finished()) {
        return Some("it did not return within a second and a half");
    }
    let panicked = checking.join().is_err();
    panicked.then_some("it panicked, with the message above")
}

#[test]
fn the_good_parker_passes() {
    if let Some(complaint) = complaint(Good(Parker::default())) {
        panic!(
            "your check refused the good parker: {complaint}. What does the check demand that `Park` does not say?"
        );
    }
}

#[test]
fn a_parker_that_forgets_an_early_unpark_is_caught() {
    must_catch::<ForgetsAnEarlyUnpark>(
        "the parker that forgets an early unpark",
        "Let `unpark` come before `park`.",
    );
}

#[test]
fn a_parker_that_counts_unparks_is_caught() {
    must_catch::<CountsUnparks>(
        "the parker that counts unparks",
        "After two unparks and one `park`, the next `park` must sleep.",
    );
}
