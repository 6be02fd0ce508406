#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, watch, within};
    use std::{pin::Pin, time::Instant};
    use step05_parker_block_on::{block_on_with, waker::v1_by_hand};

    const LIMIT: Duration = Duration::from_secs(2);

    /// With the waker by hand, which must make no difference.
    fn block_on<T>(future: impl Future<Output = T>) -> T {
        block_on_with(v1_by_hand::waker, future)
    }

    type Boxed = Pin<Box<dyn Future<Output = ()>>>;

    fn polls(run: fn(Arc<Reactor>) -> Boxed) -> Option<usize> {
        within(LIMIT, || {
            loop {
                let start = Instant::now();
                let mut late = false;
                let counted = Counted::new(run(Reactor::new()));
                let counts = counted.counts();
                let mut counted = pin!(watch("two timers", counted));
                block_on(std::future::poll_fn(|cx| {
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
                block_on(watch("a hundred timers", a_hundred(new())));
            });
            // A thread is counted a moment after it was started.
            std::thread::sleep(Duration::from_millis(20));
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
        let names = [
            "THREADS_OF_VERSION_1",
            "THREADS_OF_VERSION_2",
            "POLLS_IN_A_ROW",
            "POLLS_JOINED",
            "WAITING_AFTER_THE_DROP",
        ];
        for (name, (predicted, seen)) in names.iter().zip(predicted.into_iter().zip(seen)) {
            assert_eq!(predicted, seen, "{name}");
        }
    }
}
