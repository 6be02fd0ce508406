#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, watch, within};
    use std::{pin::Pin, time::Instant};

    const LIMIT: Duration = Duration::from_secs(2);

    /// The same with another executor, which must make no difference.
    fn polls(run: fn(Arc<Reactor>) -> Pin<Box<dyn Future<Output = ()>>>) -> Option<usize> {
        within(LIMIT, || {
            loop {
                let start = Instant::now();
                let mut late = false;
                let counted = Counted::new(run(Reactor::new()));
                let counts = counted.counts();
                let mut counted = pin!(watch("two timers", counted));
                futures::executor::block_on(std::future::poll_fn(|cx| {
                    late |= counts.polls() == 1 && start.elapsed() > Duration::from_millis(50);
                    counted.as_mut().poll(cx)
                }));
                if !late {
                    return Some(counts.polls());
                }
            }
        })
    }

    #[test]
    fn all_five_are_right() {
        let threads = [Reactor::with_thread_per_timer, Reactor::new].map(|new| {
            let before = Reactor::threads_started();
            within(LIMIT, || {
                futures::executor::block_on(watch("a hundred timers", a_hundred(new())));
            });
            Some(Reactor::threads_started() - before)
        });
        let reactor = Reactor::with_thread_per_timer();
        dropped(&reactor);
        let seen = [
            threads[0],
            threads[1],
            polls(|reactor| Box::pin(in_a_row(reactor))),
            polls(|reactor| Box::pin(joined(reactor))),
            Some(reactor.waiting()),
        ];
        let predicted = [
            THREADS_OF_VERSION_1,
            THREADS_OF_VERSION_2,
            POLLS_IN_A_ROW,
            POLLS_JOINED,
            WAITING_AFTER_THE_DROP,
        ];
        assert!(predicted == seen, "a prediction is not what the run says");
    }
}
