#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::time::Duration;

    /// Counts for itself, without the stage's `Trace`.
    struct Noted<'a>(&'static str, ReadyAt, &'a RefCell<Vec<String>>);

    impl SimpleFuture for Noted<'_> {
        type Output = ();

        fn poll(&mut self, wake: fn()) -> Poll<()> {
            let answer = self.1.poll(wake);
            let word = if answer == Poll::Pending {
                "pending"
            } else {
                "ready"
            };
            self.2.borrow_mut().push(format!("{} {word}", self.0));
            answer
        }
    }

    fn polls_of(mut future: impl SimpleFuture) -> usize {
        let mut polls = 1;
        while let Poll::Pending = future.poll(|| {}) {
            polls += 1;
        }
        polls
    }

    #[test]
    fn polled_by_hand() {
        probe::within(Duration::from_secs(2), || {
            let notes = RefCell::default();
            let two = || {
                (
                    Noted("a", ReadyAt(2), &notes),
                    Noted("b", ReadyAt(1), &notes),
                )
            };
            let (a, b) = two();
            polls_of(Join::new(a, b));
            let side = notes.take();
            assert!(
                SIDE_BY_SIDE.is_some_and(|written| written == side),
                "SIDE_BY_SIDE: {SIDE_BY_SIDE:?}, and the run: {side:?}"
            );
            let (a, b) = two();
            let polls = polls_of(AndThen::new(a, b));
            let after = notes.take();
            assert!(
                ONE_AFTER_THE_OTHER.is_some_and(|written| written == after),
                "ONE_AFTER_THE_OTHER: {ONE_AFTER_THE_OTHER:?}, and the run: {after:?}"
            );
            assert_eq!(POLLS_OF_AND_THEN, Some(polls), "POLLS_OF_AND_THEN");
        });
    }
}
