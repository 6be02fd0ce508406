#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Condvar, Mutex, mpsc};
    use step05_parker_block_on::Parker;

    /// A number of calls, at most `most` of which are kept; `forgets`: those that come before the sleep are not.
    struct Calls {
        calls: Mutex<usize>,
        changed: Condvar,
        most: usize,
        forgets: bool,
    }

    fn calls(most: usize, forgets: bool) -> Calls {
        Calls {
            calls: Mutex::new(0),
            changed: Condvar::new(),
            most,
            forgets,
        }
    }

    impl Park for Calls {
        fn park(&self) {
            let mut calls = self.calls.lock().unwrap();
            if self.forgets {
                *calls = 0;
            }
            while *calls == 0 {
                calls = self.changed.wait(calls).unwrap();
            }
            *calls -= 1;
        }
        fn unpark(&self) {
            let mut calls = self.calls.lock().unwrap();
            *calls = self.most.min(*calls + 1);
            self.changed.notify_one();
        }
    }

    struct Good(Parker);

    impl Park for Good {
        fn park(&self) {
            self.0.park();
        }
        fn unpark(&self) {
            self.0.unpark();
        }
    }

    fn passes(parker: impl Park + 'static) -> bool {
        let (over, is_over) = mpsc::channel();
        thread::spawn(move || {
            check(&(Arc::new(parker) as Arc<dyn Park>));
            over.send(()).unwrap();
        });
        is_over.recv_timeout(Duration::from_millis(1_500)).is_ok()
    }

    #[test]
    fn good_ones_pass() {
        assert!(
            passes(Good(Parker::default())),
            "the good parker is refused"
        );
        assert!(passes(calls(1, false)), "another good parker is refused");
    }

    /// A machine that stands still may let one pass, and not three times.
    fn is_caught(most: usize, forgets: bool) -> bool {
        good_ones_pass();
        let caught = (0..3).any(|_| !passes(calls(most, forgets)));
        good_ones_pass();
        caught
    }

    #[test]
    fn one_that_forgets_early_calls_is_caught() {
        assert!(is_caught(1, true), "not caught: forgets early calls");
    }

    #[test]
    fn one_that_keeps_two_calls_is_caught() {
        assert!(is_caught(2, false), "not caught: keeps two calls");
    }
}
