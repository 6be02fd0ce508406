#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{self, AssertUnwindSafe};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    use std::task::Waker;
    use std::time::Duration;
    use step03_timer_future::Signal;

    /// Made of stage 03's `Signal`, and of whatever waker this version lets it see.
    struct OnSignal {
        signal: Arc<Signal>,
        kept: Option<Waker>,
        choose: fn(&mut Option<Waker>, &Waker) -> Waker,
        at_ring: fn(&OnSignal),
        rung: AtomicBool,
    }

    impl Future for OnSignal {
        type Output = ();

        fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
            if self.rung.load(SeqCst) {
                return Poll::Ready(());
            }
            let choose = self.choose;
            let waker = choose(&mut self.kept, cx.waker());
            self.signal.poll_fired(&mut Context::from_waker(&waker))
        }
    }

    impl Bell for OnSignal {
        fn ring(&self) {
            self.rung.store(true, SeqCst);
            (self.at_ring)(self);
        }
    }

    fn fires(bell: &OnSignal) {
        bell.signal.fire();
    }

    type Choose = fn(&mut Option<Waker>, &Waker) -> Waker;

    fn passes(choose: Choose, at_ring: fn(&OnSignal)) -> bool {
        let bell = OnSignal {
            signal: Arc::default(),
            kept: None,
            choose,
            at_ring,
            rung: AtomicBool::new(false),
        };
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let result = panic::catch_unwind(AssertUnwindSafe(|| test_bell(bell)));
        panic::set_hook(hook);
        result.is_ok()
    }

    #[test]
    fn other_versions() {
        probe::within(Duration::from_secs(2), || {
            assert!(
                passes(|_, latest| latest.clone(), fires),
                "it refused a good version"
            );
            assert!(
                !passes(|_, latest| latest.clone(), |_| {}),
                "not caught: never wakes"
            );
            let both = |kept: &mut Option<Waker>, latest: &Waker| {
                kept.get_or_insert_with(|| latest.clone());
                latest.clone()
            };
            let wakes_both = |bell: &OnSignal| {
                bell.kept.iter().for_each(Waker::wake_by_ref);
                bell.signal.fire();
            };
            assert!(
                passes(both, wakes_both),
                "it refused one that wakes the earlier task too"
            );
            let first = |kept: &mut Option<Waker>, latest: &Waker| {
                kept.get_or_insert_with(|| latest.clone()).clone()
            };
            assert!(!passes(first, fires), "not caught: keeps the first");
            assert!(
                passes(|_, latest| latest.clone(), fires),
                "it refused a good version later on"
            );
            let noop_later = |kept: &mut Option<Waker>, latest: &Waker| match kept {
                None => kept.insert(latest.clone()).clone(),
                Some(_) => Waker::noop().clone(),
            };
            assert!(!passes(noop_later, fires), "not caught: loses the second");
            assert!(
                passes(both, wakes_both),
                "it refused a good version at the end"
            );
        });
    }
}
