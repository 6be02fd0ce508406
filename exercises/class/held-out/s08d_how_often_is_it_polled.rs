#[cfg(test)]
mod tests {
    use super::*;
    use probe::within;
    use std::time::Duration;

    const LIMIT: Duration = Duration::from_secs(2);

    /// Each run twice, which must make no difference.
    fn seen<T: PartialEq + std::fmt::Debug>(run: fn() -> T) -> T {
        let [first, second] = within(LIMIT, || [run(), run()]);
        assert_eq!(first, second, "a run gives the same answer each time");
        first
    }

    #[test]
    fn the_polls_are_right() {
        let predicted = [
            POLLS_WHEN_WOKEN,
            POLLS_OF_THE_WAITING_TASK,
            POLLS_OF_THE_ABORTED,
            POLLS_WITHOUT_A_HANDLE,
        ];
        let seen = [seen(woken).0, seen(waits), seen(aborted).1, seen(detached)];
        assert_eq!(predicted, seen.map(Some), "polls of runs 1, 2, 3 and 5");
    }

    #[test]
    fn the_entries_are_right() {
        let predicted = (ENTRIES_WHEN_WOKEN, ENTRIES_OF_THE_ABORTED);
        let seen = (Some(seen(woken).1), Some(seen(aborted).0));
        assert_eq!(predicted, seen, "entries of runs 1 and 3");
    }

    #[test]
    fn the_output_is_right() {
        assert_eq!(OUTPUT_OF_THE_LAST_POLL, Some(seen(aborts_itself)), "run 4");
    }
}
