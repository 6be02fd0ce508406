#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, CountingWaker, watch, within};
    use std::future::{pending, poll_fn};
    use step05_parker_block_on::block_on;

    const LIMIT: Duration = Duration::from_secs(2);
    const SHORT: Duration = Duration::from_millis(10);

    fn run<T>(name: &str, future: impl Future<Output = T>) -> T {
        within(LIMIT, || block_on(watch(name, future)))
    }

    #[test]
    fn given_back_three_times_it_is_still_the_same_future() {
        let reactor = Reactor::new();
        let counted = Counted::new(pending::<()>());
        let counts = counted.counts();
        let mut future = Box::pin(counted);
        for round in 1..=3 {
            future = match run("a time-out", timeout(&reactor, SHORT, future)) {
                Err(unfinished) => unfinished,
                Ok(()) => panic!("it is never ready"),
            };
            assert_eq!((counts.polls(), counts.drops()), (2 * round, 0));
        }
    }

    #[test]
    fn a_future_that_is_ready_at_its_second_poll_is_in_time() {
        let reactor = Reactor::new();
        let mut polls = 0;
        let second = poll_fn(move |_| {
            polls += 1;
            if polls == 2 {
                Poll::Ready(7)
            } else {
                Poll::Pending
            }
        });
        // The only wake is the timer's.
        let result = run("a time-out", timeout(&reactor, SHORT, Box::pin(second)));
        assert!(matches!(result, Ok(7)), "ready at the last moment");
    }

    #[test]
    fn dropped_early_it_drops_its_future_and_leaves_the_reactor() {
        let reactor = Reactor::new();
        let counted = Counted::new(pending::<()>());
        let (counts, waker) = (counted.counts(), CountingWaker::new());
        let mut limited = Box::pin(timeout(
            &reactor,
            Duration::from_secs(3_600),
            Box::pin(counted),
        ));
        let polled = limited
            .as_mut()
            .poll(&mut Context::from_waker(&waker.waker()));
        assert!(polled.is_pending(), "neither is ready");
        assert_eq!((reactor.waiting(), waker.live()), (1, 1), "the timer waits");
        drop(limited);
        assert_eq!(
            (reactor.waiting(), waker.live()),
            (0, 0),
            "the timer is gone"
        );
        assert_eq!(counts.drops(), 1, "the future is dropped");
    }
}
