//! s05e · prove · 15 minutes · chapter 05, "Park, unpark and block_on"
//!
//! Here you write the test. `check` is given a parker, and has to panic or to hang if the parker does not do what
//! `Park` says. It must let the good parker pass within a second. It will be run on three: the good one, one that
//! forgets a call that comes before the sleep, and one that keeps every call instead of one.
//!
//! Run: `cargo test --bin s05e_catch_the_parker`, or save this file while `rustlings` runs.
//! Red: a test says which parker your check did not catch, or that it refused the good one.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

/// What is tested.
trait Park: Send + Sync {
    /// Blocks this thread until `unpark` has been called since the last `park` returned.
    fn park(&self);

    /// Ends the sleep of the thread in `park`, or the next one before it begins. Several calls before one `park` count
    /// as one.
    fn unpark(&self);
}

/// Panics, or does not return, if this is not a good parker.
fn check(parker: &Arc<dyn Park>) {
    a_moment_later(parker);

    // The call first. A parker that forgets it sleeps here for ever.
    parker.unpark();
    parker.park();

    // Two calls first: they are one. So the second sleep lasts until somebody calls again.
    parker.unpark();
    parker.unpark();
    parker.park();
    a_moment_later(parker);
}

/// The sleep begins, and a moment later it is ended.
fn a_moment_later(parker: &Arc<dyn Park>) {
    let called = Arc::new(AtomicBool::new(false));
    let caller = thread::spawn({
        let (parker, called) = (Arc::clone(parker), Arc::clone(&called));
        move || {
            thread::sleep(Duration::from_millis(20));
            called.store(true, SeqCst);
            parker.unpark();
        }
    });
    parker.park();
    assert!(called.load(SeqCst), "park returned before the call");
    caller.join().unwrap();
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Condvar, Mutex, mpsc};
    use step05_parker_block_on::Parker;

    struct Good(Parker);

    impl Park for Good {
        fn park(&self) {
            self.0.park();
        }
        fn unpark(&self) {
            self.0.unpark();
        }
    }

    /// Has a flag, and takes it down before it sleeps.
    #[derive(Default)]
    struct ForgetsAnEarlyCall {
        called: Mutex<bool>,
        changed: Condvar,
    }

    impl Park for ForgetsAnEarlyCall {
        fn park(&self) {
            let mut called = self.called.lock().unwrap();
            *called = false;
            while !*called {
                called = self.changed.wait(called).unwrap();
            }
        }
        fn unpark(&self) {
            *self.called.lock().unwrap() = true;
            self.changed.notify_one();
        }
    }

    /// Has a number where a flag should be.
    #[derive(Default)]
    struct KeepsEveryCall {
        calls: Mutex<usize>,
        changed: Condvar,
    }

    impl Park for KeepsEveryCall {
        fn park(&self) {
            let mut calls = self.calls.lock().unwrap();
            while *calls == 0 {
                calls = self.changed.wait(calls).unwrap();
            }
            *calls -= 1;
        }
        fn unpark(&self) {
            *self.calls.lock().unwrap() += 1;
            self.changed.notify_one();
        }
    }

    /// Three tries: on a machine that stands still for a moment, a broken parker may pass for a good one.
    fn is_caught<P: Park + Default + 'static>() -> bool {
        // Before and after too, since what a check says may not depend on how often it was called.
        the_good_parker_passes();
        let caught = (0..3).any(|_| complaint(P::default()).is_some());
        the_good_parker_passes();
        caught
    }

    /// `None` if the check returned. A thread that hangs in it is left behind.
    fn complaint(parker: impl Park + 'static) -> Option<&'static str> {
        let (over, is_over) = mpsc::channel();
        thread::spawn(move || {
            check(&(Arc::new(parker) as Arc<dyn Park>));
            over.send(()).unwrap();
        });
        match is_over.recv_timeout(Duration::from_millis(1_500)) {
            Ok(()) => None,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                Some("it did not return within a second and a half")
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                Some("it panicked, with the message above")
            }
        }
    }

    #[test]
    fn the_good_parker_passes() {
        if let Some(complaint) = complaint(Good(Parker::default())) {
            panic!(
                "your check refused the good parker: {complaint}. Which sentence of `Park` does the check go beyond?"
            );
        }
    }

    #[test]
    fn the_one_that_forgets_an_early_call_is_caught() {
        assert!(
            is_caught::<ForgetsAnEarlyCall>(),
            "your check did not catch the parker that forgets an early call: it returned as if all were well. Let \
             `unpark` come before `park`."
        );
    }

    #[test]
    fn the_one_that_keeps_every_call_is_caught() {
        assert!(
            is_caught::<KeepsEveryCall>(),
            "your check did not catch the parker that keeps every call: it returned as if all were well. After two \
             calls and one `park`, the next `park` must sleep."
        );
    }
}
