#[cfg(test)]
mod tests {
    use super::*;
    use probe::{Counted, watch, within};
    use step05_parker_block_on::{block_on_with, waker::v1_by_hand};

    /// The same runs with the waker by hand, which must make no difference.
    fn polls_of(name: &str, future: impl Future<Output = ()>) -> Option<usize> {
        let counted = Counted::new(future);
        let counts = counted.counts();
        within(Duration::from_secs(2), || {
            block_on_with(v1_by_hand::waker, watch(name, counted))
        });
        Some(counts.polls())
    }

    #[test]
    fn the_polls_are_right() {
        let seen = [
            polls_of("a timer", timer()),
            polls_of("woken three times", woken_three_times()),
            polls_of("a stray token", with_a_stray_token()),
        ];
        let predicted = [
            POLLS_OF_A_TIMER,
            POLLS_WOKEN_THREE_TIMES,
            POLLS_WITH_A_STRAY_TOKEN,
        ];
        let names = [
            "POLLS_OF_A_TIMER",
            "POLLS_WOKEN_THREE_TIMES",
            "POLLS_WITH_A_STRAY_TOKEN",
        ];
        for (name, (predicted, seen)) in names.iter().zip(predicted.into_iter().zip(seen)) {
            assert_eq!(predicted, seen, "{name}");
        }
    }

    #[test]
    fn the_parks_are_right() {
        within(Duration::from_secs(2), || {
            let parker = Arc::new(Parker::default());
            unpark_three_times(&parker);
            let predicted =
                PARKS_AFTER_THREE_UNPARKS.expect("PARKS_AFTER_THREE_UNPARKS is still None");
            assert!(
                predicted > 0,
                "PARKS_AFTER_THREE_UNPARKS: an unpark that comes first is not lost"
            );
            for _ in 0..predicted {
                // One too many would sleep until the watchdog ends it.
                parker.park();
            }
        });
    }
}
