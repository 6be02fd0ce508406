#[cfg(test)]
mod tests {
    use super::*;
    use futures::join;
    use probe::{CountingWaker, watch, within};
    use std::task::Waker;
    use step05_parker_block_on::block_on;

    const LIMIT: Duration = Duration::from_secs(2);

    #[test]
    fn handed_on_by_nine_tasks_it_wakes_the_tenth_and_starts_one_thread() {
        within(LIMIT, || {
            let threads = Threads::default();
            let when = Instant::now() + Duration::from_millis(80);
            let mut delay = Box::pin(watch("a delay", Delay::until(when, &threads)));
            let nine = [(); 9].map(|()| CountingWaker::new());
            let over = nine.iter().any(|waker| {
                let waker = waker.waker();
                delay
                    .as_mut()
                    .poll(&mut Context::from_waker(&waker))
                    .is_ready()
            });
            if !over {
                block_on(delay);
            }
            assert!(Instant::now() >= when, "the delay was ready too early");
            assert_eq!(threads.started(), 1, "threads started for one delay");
        });
    }

    #[test]
    fn beside_one_that_asks_all_the_time_it_starts_one_thread() {
        let threads = Threads::default();
        let when = Instant::now() + Duration::from_millis(30);
        let mut polls = 0;
        let restless = std::future::poll_fn(|cx| {
            polls += 1;
            cx.waker().wake_by_ref();
            if polls > 20 {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        });
        let delay = Delay::until(when, &threads);
        within(LIMIT, || {
            block_on(watch("two", async { join!(delay, restless) }))
        });
        assert!(Instant::now() >= when, "the delay was ready too early");
        assert_eq!(threads.started(), 1, "threads started for one delay");
    }

    #[test]
    fn a_hundred_polls_start_one_thread() {
        let threads = Threads::default();
        let mut delay = Box::pin(Delay::until(
            Instant::now() + Duration::from_secs(60),
            &threads,
        ));
        for _ in 0..100 {
            let _ = delay.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        }
        assert_eq!(threads.started(), 1, "threads started for one delay");
    }
}
