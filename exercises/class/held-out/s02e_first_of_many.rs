#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    /// Ready at its poll with the second number. Notes its polls, and its drop as a negative number.
    struct Runner<'a>(i32, u32, &'a RefCell<Vec<i32>>);

    impl SimpleFuture for Runner<'_> {
        type Output = i32;

        fn poll(&mut self, _: fn()) -> Poll<i32> {
            assert!(self.1 > 0, "a finished runner was polled again");
            self.1 -= 1;
            self.2.borrow_mut().push(self.0);
            match self.1 {
                0 => Poll::Ready(self.0 * 10),
                _ => Poll::Pending,
            }
        }
    }

    impl Drop for Runner<'_> {
        fn drop(&mut self) {
            self.2.borrow_mut().push(-self.0);
        }
    }

    #[test]
    fn any_number_of_runners() {
        probe::within(Duration::from_secs(2), || {
            for (at, winner) in [
                (vec![1], 1),
                (vec![2, 1], 2),
                (vec![2, 2], 1),
                (vec![4, 3, 3, 9], 2),
            ] {
                let journal = RefCell::default();
                let runner = |(name, at): (i32, &u32)| Runner(name, *at, &journal);
                let racing = (1..).zip(&at).map(runner).collect();
                let mut race = FirstOf { racing };
                let count = at.len() as i32;
                for _ in 1..at[winner - 1] {
                    assert_eq!(race.poll(|| {}), Poll::Pending, "{at:?}");
                    let everyone: Vec<i32> = (1..=count).collect();
                    assert_eq!(journal.take(), everyone, "{at:?}");
                }
                let winner = winner as i32;
                assert_eq!(race.poll(|| {}), Poll::Ready(winner * 10), "{at:?}");
                let mut last = journal.take();
                last.sort();
                let mut expected: Vec<i32> =
                    (1..=winner).chain((1..=count).map(|it| -it)).collect();
                expected.sort();
                assert_eq!(
                    last, expected,
                    "{at:?}: polls, and drops as negative numbers"
                );
            }
        });
    }

    #[test]
    fn no_runner_is_left() {
        probe::within(Duration::from_secs(2), || {
            let journal = RefCell::default();
            for at in [vec![], vec![1], vec![3, 1, 3]] {
                let runner = |(name, at): (i32, &u32)| Runner(name, *at, &journal);
                let racing = (1..).zip(&at).map(runner).collect();
                let mut race = FirstOf { racing };
                if !at.is_empty() {
                    assert!(race.poll(|| {}) != Poll::Pending, "{at:?}");
                }
                let polled = catch_unwind(AssertUnwindSafe(|| race.poll(|| {})));
                assert!(polled.is_err(), "{at:?}: it should panic");
            }
        });
    }
}
