#[cfg(test)]
mod tests {
    use super::*;
    use probe::{CountingWaker, within};
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    use std::task::Wake;
    use std::time::Duration;

    const LIMIT: Duration = Duration::from_secs(2);

    /// When woken, looks at the signal from another thread, and waits for that thread.
    struct LooksFromElsewhere(Arc<Signal>, AtomicBool);

    impl Wake for LooksFromElsewhere {
        fn wake(self: Arc<Self>) {
            let seen = std::thread::scope(|scope| {
                let look = || self.0.poll_fired(&mut Context::from_waker(Waker::noop()));
                scope.spawn(look).join().unwrap()
            });
            self.1.store(seen.is_ready(), SeqCst);
        }
    }

    #[test]
    fn the_lock_is_free_when_the_waker_runs() {
        within(LIMIT, || {
            let signal = Arc::new(Signal::default());
            let looks = Arc::new(LooksFromElsewhere(
                Arc::clone(&signal),
                AtomicBool::new(false),
            ));
            let waker = Waker::from(Arc::clone(&looks));
            assert!(
                signal
                    .poll_fired(&mut Context::from_waker(&waker))
                    .is_pending(),
                "not fired, and a poll is ready"
            );
            signal.fire();
            assert!(looks.1.load(SeqCst), "woken before the state had changed");
        });
    }

    #[test]
    fn it_wakes_once_and_stays_fired() {
        within(LIMIT, || {
            let (signal, counting) = (Signal::default(), CountingWaker::new());
            let waker = counting.waker();
            assert!(
                signal
                    .poll_fired(&mut Context::from_waker(&waker))
                    .is_pending(),
                "not fired, and a poll is ready"
            );
            signal.fire();
            signal.fire();
            assert_eq!(counting.wakes(), 1, "wakes of one waker by two `fire`");
            assert!(
                signal
                    .poll_fired(&mut Context::from_waker(&waker))
                    .is_ready(),
                "fired, and a poll is pending"
            );
        });
    }
}
