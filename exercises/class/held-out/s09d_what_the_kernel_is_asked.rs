#[cfg(test)]
mod tests {
    use super::*;
    use probe::within;

    const LIMIT: Duration = Duration::from_secs(2);

    /// The run on a new kernel: what it returns, and how often it was waited for, notified and armed. Twice, which must
    /// make no difference.
    fn seen<T: PartialEq + std::fmt::Debug>(run: impl Fn(&Kernel) -> T) -> (T, [usize; 3]) {
        let once = || {
            let kernel = Kernel::default();
            let answer = within(LIMIT, || run(&kernel));
            let State {
                waits,
                notifies,
                armed,
                ..
            } = &*kernel.0;
            (answer, [waits, notifies, armed].map(|it| it.load(SeqCst)))
        };
        let (first, second) = (once(), once());
        assert_eq!(first, second, "a run gives the same answer each time");
        first
    }

    #[test]
    fn the_waits_are_right() {
        assert_eq!(WAITS_OF_A_BUSY_TASK, Some(seen(busy).1[0]), "run 2");
    }

    #[test]
    fn the_notifies_are_right() {
        let seen = [seen(ping_pong).1[1], seen(from_outside).1[1]];
        let predicted = [NOTIFIES_FROM_ITS_OWN_THREAD, NOTIFIES_FROM_OUTSIDE];
        assert_eq!(predicted, seen.map(Some), "runs 1 and 3");
    }

    #[test]
    fn the_tries_and_arms_are_right() {
        let (tries, [.., armed]) = seen(three_reads);
        let (_, [.., both]) = seen(both_directions);
        let predicted = [
            TRIES_FOR_THREE_READS,
            ARMED_FOR_THREE_READS,
            ARMED_FOR_BOTH_DIRECTIONS,
        ];
        let seen = [tries, armed, both];
        assert_eq!(predicted, seen.map(Some), "runs 4 and 5");
    }
}
