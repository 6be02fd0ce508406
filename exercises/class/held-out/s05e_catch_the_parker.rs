#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Condvar, Mutex, mpsc};
    use step05_parker_block_on::Parker;

    /// Counts unparks up to `most`. With `forgets`, those that come before the sleep are lost.
    struct Counting {
        unparks: Mutex<usize>,
        changed: Condvar,
        most: usize,
        forgets: bool,
    }

    fn counting(most: usize, forgets: bool) -> Counting {
        Counting {
            unparks: Mutex::new(0),
            changed: Condvar::new(),
            most,
            forgets,
        }
    }

    impl Park for Counting {
        fn park(&self) {
            let mut unparks = self.unparks.lock().unwrap();
            if self.forgets {
                *unparks = 0;
            }
            while *unparks == 0 {
                unparks = self.changed.wait(unparks).unwrap();
            }
            *unparks -= 1;
        }
        fn unpark(&self) {
            let mut unparks = self.unparks.lock().unwrap();
            *unparks = self.most.min(*unparks + 1);
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
        assert!(passes(counting(1, false)), "another good parker is refused");
    }

    /// On a machine that stalls, a broken one may pass once, but not three times.
    fn must_catch(most: usize, forgets: bool, broken: &str) {
        let good = || passes(Good(Parker::default()));
        let before = good();
        let caught = (0..3).any(|_| !passes(counting(most, forgets)));
        assert!(caught, "not caught: {broken}");
        assert!(
            before && good(),
            "the good parker is refused like the one that {broken}"
        );
    }

    #[test]
    fn one_that_forgets_early_unparks_is_caught() {
        must_catch(1, true, "forgets early unparks");
    }

    #[test]
    fn one_that_keeps_two_unparks_is_caught() {
        must_catch(2, false, "keeps two unparks");
    }
}
