use super::*;
use futures::StreamExt;
use probe::{CountingWaker, watch, within};
use std::pin::pin;

/// An interval, of 10 ms if nothing else is said, and the task that takes its ticks.
struct Task {
    clock: Arc<Clock>,
    interval: Interval,
    waker: CountingWaker,
}

impl Task {
    fn new() -> Task {
        Task::with_period(Duration::from_millis(10))
    }

    fn with_period(period: Duration) -> Task {
        let clock = Arc::new(Clock::default());
        Task {
            interval: Interval {
                period,
                next: Sleep {
                    clock: Arc::clone(&clock),
                    deadline: period,
                },
            },
            clock,
            waker: CountingWaker::new(),
        }
    }

    fn comes_at(&mut self, ms: u64) -> usize {
        self.comes(Duration::from_millis(ms))
    }

    /// The task comes at this time, and takes ticks until there is none. Returns how many it got.
    fn comes(&mut self, now: Duration) -> usize {
        self.clock.set(now);
        let waker = self.waker.waker();
        within(Duration::from_secs(2), || {
            for ticks in 0..100 {
                let next = pin!(watch("the next tick", self.interval.next()));
                match next.poll(&mut Context::from_waker(&waker)) {
                    Poll::Ready(Some(())) => {}
                    Poll::Ready(None) => {
                        panic!("the stream has ended, and an interval never ends")
                    }
                    Poll::Pending => return ticks,
                }
            }
            panic!(
                "At {now:?}, the task got a hundred ticks in a row, and there would be more. When a tick was taken, at \
                 which time is the next one due?"
            )
        })
    }
}

#[test]
fn it_yields_once_in_each_period() {
    let mut task = Task::new();
    // Another task with an interval of its own, which is none of the first one's business.
    let mut other = Task::with_period(Duration::from_millis(4));
    assert_eq!(
        task.comes_at(0),
        0,
        "ticks at the start, before one period has passed"
    );
    for tick in 1..=5 {
        let at = tick * 10;
        other.comes_at(at);
        assert_eq!(
            task.comes_at(at - 1),
            0,
            "ticks at {} ms, when none is due",
            at - 1
        );
        let ticks = task.comes_at(at);
        assert!(
            ticks == 1,
            "The period is 10 ms, {at} ms have passed since the start, and the task came at each multiple of 10. At \
             this time it got {ticks} ticks, and it should have got 1."
        );
    }
}

#[test]
fn a_task_that_waits_is_woken_at_the_deadline() {
    let mut task = Task::new();
    task.comes_at(0);
    assert_eq!(
        task.waker.wakes(),
        0,
        "wakes before the first deadline: which code knows when it comes?"
    );
    for tick in 1..=3 {
        let before = task.waker.wakes();
        task.clock.set(Duration::from_millis(tick * 10));
        let wakes = task.waker.wakes() - before;
        assert!(
            wakes > 0,
            "The task was pending, the clock shows {} ms, which is a deadline, and the task was not woken. Which poll \
             would have left its waker with the clock?",
            tick * 10
        );
        task.comes_at(tick * 10);
    }
}

#[test]
fn a_delay_does_not_add_up() {
    let mut task = Task::new();
    for (at, delay) in [(14, 4), (20, 0), (39, 9), (40, 0), (51, 1), (60, 0)] {
        let ticks = task.comes_at(at);
        let earlier = match at {
            14 => "None was taken before, and one that comes late is not left out.",
            _ => "The interval drifts if a deadline depends on when the tick before it was taken.",
        };
        assert!(
            ticks == 1,
            "The period is 10 ms, so the deadlines are 10, 20, 30 ms and so on. The task came at {at} ms, which is {delay} \
             ms after a deadline, and got {ticks} ticks instead of 1. {earlier}"
        );
    }
}

#[test]
fn a_period_need_not_be_whole_milliseconds() {
    for us in [2_500, 400] {
        let period = Duration::from_micros(us);
        let mut task = Task::with_period(period);
        for n in 1..=20 {
            let at = period * n;
            let ticks = [task.comes(at - Duration::from_micros(1)), task.comes(at)];
            assert!(
                ticks == [0, 1],
                "The period is {period:?}. The task came 1 µs before {at:?}, which is a deadline, and at {at:?}, and got \
                 {ticks:?} ticks instead of [0, 1]. What is the smallest unit of a `Duration`?"
            );
        }
    }
}

#[test]
fn there_may_be_millions_of_periods() {
    for ns in [1_000_000, 333_333] {
        let period = Duration::from_nanos(ns);
        let mut task = Task::with_period(period);
        for (n, wanted) in [(1, [0, 1]), (2_999_999, [1, 1]), (3_000_000, [0, 1])] {
            let at = period * n;
            let ticks = [task.comes(at - Duration::from_nanos(1)), task.comes(at)];
            assert!(
                ticks == wanted,
                "The period is {period:?}. The task came 1 ns before {at:?}, which is {n} periods after the start, and at \
                 {at:?}, and got {ticks:?} ticks instead of {wanted:?}. Which of your numbers is too small, or not exact?"
            );
        }
    }
}

#[test]
fn a_task_that_was_away_gets_one_tick_and_no_burst() {
    let mut task = Task::new();
    let ticks = task.comes_at(57);
    assert!(
        ticks == 1,
        "The deadlines at 10, 20, 30, 40 and 50 ms have passed, and the task came at 57 ms for the first time. It got \
         {ticks} ticks in a row. Wanted: one at once, for all that it has missed."
    );
    assert_eq!(
        task.comes_at(59),
        0,
        "the next deadline is 60 ms, and this was at 59"
    );
    assert_eq!(
        task.comes_at(60),
        1,
        "60 ms is a deadline, however late the tick before it was"
    );
    assert_eq!(
        task.comes_at(90),
        1,
        "at 90 ms exactly, after a pause of three periods"
    );
    assert_eq!(
        task.comes_at(99),
        0,
        "the next deadline is 100 ms, and this was at 99"
    );
}
