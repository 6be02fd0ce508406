#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, within};
    use step04_channel_executor::executor_on_std_wake;

    const LIMIT: Duration = Duration::from_secs(2);

    /// Counted by the probe, on the same executor with the standard library's wakers.
    fn polls(future: impl Future<Output = ()> + Send + 'static) -> Option<usize> {
        within(LIMIT, || {
            let counted = Counted::new(future);
            let counts = counted.counts();
            let (executor, spawner) = executor_on_std_wake();
            spawner.spawn(counted);
            drop(spawner);
            executor.run();
            Some(counts.polls())
        })
    }

    #[test]
    fn on_the_twin_of_the_executor() {
        assert_eq!(TWO_NAPS, polls(two_naps()), "TWO_NAPS");
        assert_eq!(TEN_WAKES, polls(ten_wakes()), "TEN_WAKES");
        assert_eq!(
            FIFTH_TIME_WHEN_WOKEN,
            polls(fifth_time()),
            "FIFTH_TIME_WHEN_WOKEN"
        );
        let again = within(LIMIT, || sent_again(fifth_time()));
        assert_eq!(FIFTH_TIME_SENT_AGAIN, Some(again), "FIFTH_TIME_SENT_AGAIN");
    }
}
