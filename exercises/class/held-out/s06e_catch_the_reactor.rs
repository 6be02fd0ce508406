#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        cell::Cell,
        mem,
        rc::Rc,
        sync::{Arc, mpsc},
        thread,
    };
    use step06_reactor::{Reactor, Timer};

    #[derive(Clone, Copy, PartialEq)]
    enum Mistake {
        None,
        ReadyAtOnce,
        ForgetsTheDrop,
        OneAtATime,
    }

    struct Subject {
        reactor: Arc<Reactor>,
        mistake: Mistake,
        polled: Rc<Cell<usize>>,
    }

    impl Timers for Subject {
        fn timer(&self, duration: Duration) -> BoxedTimer {
            let mistake = self.mistake;
            let (reactor, polled) = (Arc::clone(&self.reactor), Rc::clone(&self.polled));
            Box::pin(async move {
                let duration = match mistake {
                    Mistake::ReadyAtOnce => Duration::ZERO,
                    // Another one waits, and this one waits with it.
                    Mistake::OneAtATime if polled.get() > 0 => Duration::MAX,
                    _ => duration,
                };
                let guard = Guard::new(polled);
                let mut timer = Box::pin(Timer::new(&reactor, duration));
                if mistake == Mistake::ForgetsTheDrop {
                    let mut timer = mem::ManuallyDrop::new(timer);
                    let _ = (*timer).as_mut().await;
                } else {
                    let _ = timer.as_mut().await;
                }
                drop(guard);
            })
        }
        fn waiting(&self) -> usize {
            self.reactor.waiting()
        }
    }

    /// Counts those that wait.
    struct Guard(Rc<Cell<usize>>);

    impl Guard {
        fn new(polled: Rc<Cell<usize>>) -> Guard {
            polled.set(polled.get() + 1);
            Guard(polled)
        }
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.set(self.0.get() - 1);
        }
    }

    /// On a machine that stalls, broken ones may pass once, but not three times.
    fn must_catch(mistake: Mistake, broken: &str) {
        let before = passes(Mistake::None);
        let caught = (0..3).any(|_| !passes(mistake));
        assert!(caught, "timers that {broken} pass");
        assert!(
            before && passes(Mistake::None),
            "the good timers are refused like those that {broken}"
        );
    }

    fn passes(mistake: Mistake) -> bool {
        let (over, is_over) = mpsc::channel();
        thread::spawn(move || {
            check(&Subject {
                reactor: Reactor::new(),
                mistake,
                polled: Rc::default(),
            });
            over.send(()).unwrap();
        });
        is_over.recv_timeout(Duration::from_millis(1_500)).is_ok()
    }

    #[test]
    fn the_good_ones_pass() {
        // Five times, because a line that asks for too much may still pass once.
        let pass = (0..5).all(|_| passes(Mistake::None));
        assert!(pass, "the good timers are refused");
    }

    #[test]
    fn early_ones_are_caught() {
        must_catch(Mistake::ReadyAtOnce, "are ready at once");
    }

    #[test]
    fn those_that_stay_are_caught() {
        must_catch(Mistake::ForgetsTheDrop, "stay when dropped");
    }

    #[test]
    fn those_that_wait_for_each_other_are_caught() {
        must_catch(Mistake::OneAtATime, "hold each other up");
    }
}
