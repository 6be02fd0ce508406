#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use std::time::Duration;

    static WAKES: AtomicU32 = AtomicU32::new(0);

    #[test]
    fn every_not_yet_comes_with_a_wake() {
        probe::within(Duration::from_secs(2), || {
            for from in [0, 2, 7, 20] {
                WAKES.store(0, SeqCst);
                let mut countdown = Countdown(from);
                let mut polls = 1;
                let wake = || {
                    WAKES.fetch_add(1, SeqCst);
                };
                while countdown.poll(wake) == Poll::Pending {
                    polls += 1;
                    assert!(polls <= from + 1, "Countdown({from}) is never ready");
                }
                assert_eq!(polls, from + 1, "the polls of Countdown({from})");
                assert_eq!(WAKES.load(SeqCst), from, "the wakes of Countdown({from})");
            }
        });
    }
}
