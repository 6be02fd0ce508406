#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{self, AssertUnwindSafe};
    use std::time::Duration;

    struct ByHand {
        arrived: bool,
        kept: Vec<fn()>,
        poll: fn(&mut ByHand, fn()) -> Poll<&'static str>,
        at_event: fn(&mut ByHand),
    }

    impl SimpleFuture for ByHand {
        type Output = &'static str;

        fn poll(&mut self, wake: fn()) -> Poll<&'static str> {
            (self.poll)(self, wake)
        }
    }

    impl Letter for ByHand {
        fn arrives(&mut self) {
            self.arrived = true;
            (self.at_event)(self);
        }
    }

    fn good_poll(letter: &mut ByHand, wake: fn()) -> Poll<&'static str> {
        if letter.arrived {
            return Poll::Ready("by air mail");
        }
        letter.kept = vec![wake];
        Poll::Pending
    }

    fn call_all(letter: &mut ByHand) {
        letter.kept.drain(..).for_each(|wake| wake());
    }

    fn passes(
        poll: fn(&mut ByHand, fn()) -> Poll<&'static str>,
        at_event: fn(&mut ByHand),
    ) -> bool {
        WAKES.set(0);
        let mut letter = ByHand {
            arrived: false,
            kept: Vec::new(),
            poll,
            at_event,
        };
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let result = panic::catch_unwind(AssertUnwindSafe(|| test_letter(&mut letter)));
        panic::set_hook(hook);
        result.is_ok()
    }

    #[test]
    fn other_versions() {
        probe::within(Duration::from_secs(2), || {
            assert!(passes(good_poll, call_all), "it failed on a good version");
            assert!(
                !passes(|_, _| Poll::Ready(""), call_all),
                "not caught: always ready"
            );
            assert!(
                passes(good_poll, call_all),
                "it failed on a good version later on"
            );
            assert!(!passes(good_poll, |_| {}), "not caught: drops its wake");
            let impatient = |letter: &mut ByHand, wake: fn()| {
                wake();
                wake();
                good_poll(letter, wake)
            };
            assert!(
                !passes(impatient, call_all),
                "not caught: wakes twice for nothing"
            );
            assert!(
                passes(good_poll, call_all),
                "it failed on a good version at the end"
            );
        });
    }
}
