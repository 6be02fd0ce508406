#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::time::Duration;
    use step01_simple_future::{Poll, SimpleFuture, wake};

    /// Ready once `open` has reached its own number. Counts all polls of all of them.
    struct Gate<'a>(usize, &'a Cell<usize>, &'a Cell<usize>);

    impl SimpleFuture for Gate<'_> {
        type Output = ();

        fn poll(&mut self, _: fn()) -> Poll<()> {
            self.2.set(self.2.get() + 1);
            if self.1.get() > self.0 {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        }
    }

    #[test]
    fn counted_by_the_futures_themselves() {
        let (open, polls) = (Cell::new(0), Cell::new(0));
        let mut run_loop = RunLoop::new((0..4).map(|number| Gate(number, &open, &polls)));
        let mut rounds = Vec::new();
        probe::within(Duration::from_secs(2), || {
            for opened in 0..=4 {
                open.set(opened);
                run_loop.poll_all();
                rounds.push(polls.replace(0));
                if opened < 4 {
                    wake();
                    run_loop.sleep();
                }
            }
        });
        assert_eq!(FIRST_ROUND, Some(rounds[0]), "FIRST_ROUND");
        assert_eq!(
            AFTER_THE_FIRST_DATA,
            Some(rounds[1]),
            "AFTER_THE_FIRST_DATA"
        );
        assert_eq!(IN_ALL, Some(rounds.iter().sum()), "IN_ALL");
    }
}
