#[cfg(test)]
mod tests {
    use super::*;
    use futures::StreamExt;
    use probe::{CountingWaker, watch, within};
    use std::pin::pin;

    const MS: Duration = Duration::from_millis(1);

    fn interval(period: Duration) -> (Arc<Clock>, Interval) {
        let clock = Arc::new(Clock::default());
        let next = Sleep {
            clock: Arc::clone(&clock),
            deadline: period,
        };
        (clock, Interval { period, next })
    }

    /// Whether a tick is there.
    fn tick(interval: &mut Interval, task: &CountingWaker) -> bool {
        let waker = task.waker();
        within(Duration::from_secs(2), || {
            let next = pin!(watch("a tick", interval.next()));
            match next.poll(&mut Context::from_waker(&waker)) {
                Poll::Ready(item) => item.map(|()| true).expect("an interval never ends"),
                Poll::Pending => false,
            }
        })
    }

    #[test]
    fn every_deadline_is_a_multiple() {
        let (clock, mut interval) = interval(7 * MS);
        let task = CountingWaker::new();
        let mut taken = 0;
        // 0, 3, 6, 9, 12 and so on: at most one tick at each, and none is missed for good.
        for at in (0..420).step_by(3) {
            clock.set(at * MS);
            let due = at / 7;
            let is_there = tick(&mut interval, &task);
            assert_eq!(is_there, due > taken, "at {at} ms");
            taken = due;
            assert!(!tick(&mut interval, &task), "a second tick at {at} ms");
        }
    }

    #[test]
    fn periods_of_any_length() {
        for period in [1, 333, 999_999, 1_500_000].map(Duration::from_nanos) {
            let (clock, mut interval) = interval(period);
            let task = CountingWaker::new();
            for n in 1..50 {
                clock.set(period * n - Duration::from_nanos(1));
                assert!(!tick(&mut interval, &task), "{period:?}, before tick {n}");
                clock.set(period * n);
                assert!(tick(&mut interval, &task), "{period:?}, tick {n}");
            }
        }
    }

    #[test]
    fn each_deadline_wakes() {
        let (clock, mut interval) = interval(1_000 * MS);
        for n in 1..10 {
            let task = CountingWaker::new();
            assert!(!tick(&mut interval, &task));
            clock.set((n * 1_000 - 1) * MS);
            assert_eq!(task.wakes(), 0, "too early");
            clock.set(n * 1_000 * MS);
            assert!(task.wakes() > 0, "not woken at {n} s");
            assert!(tick(&mut interval, &task), "no tick at {n} s");
        }
    }

    #[test]
    fn an_hour_is_one_tick() {
        let (clock, mut interval) = interval(3 * MS);
        let task = CountingWaker::new();
        clock.set(3_600_001 * MS);
        assert!(tick(&mut interval, &task));
        assert!(!tick(&mut interval, &task), "a burst");
        clock.set(3_600_002 * MS);
        assert!(!tick(&mut interval, &task), "too early");
        clock.set(3_600_003 * MS);
        assert!(tick(&mut interval, &task), "too late");
    }
}
