#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::time::Duration;

    struct Leaf<'a>(u32, u32, &'a RefCell<Vec<u32>>);

    impl SimpleFuture for Leaf<'_> {
        type Output = u32;

        fn poll(&mut self, _: fn()) -> Poll<u32> {
            assert!(self.1 > 0, "a finished child was polled again");
            self.1 -= 1;
            self.2.borrow_mut().push(self.0);
            match self.1 {
                0 => Poll::Ready(self.0 * 10),
                _ => Poll::Pending,
            }
        }
    }

    #[test]
    fn in_every_order_of_finishing() {
        probe::within(Duration::from_secs(2), || {
            for at in [
                [1, 1, 1],
                [1, 2, 3],
                [3, 2, 1],
                [2, 1, 2],
                [4, 1, 1],
                [1, 1, 4],
            ] {
                let journal = RefCell::new(Vec::new());
                let leaf = |name: u32| Child::Running(Leaf(name, at[name as usize - 1], &journal));
                let mut join = Join3 {
                    a: leaf(1),
                    b: leaf(2),
                    c: leaf(3),
                };
                for poll in 1..=at.into_iter().max().unwrap() {
                    let answer = join.poll(|| {});
                    let running = (1..=3).filter(|name| at[*name as usize - 1] >= poll);
                    assert_eq!(
                        journal.take(),
                        running.collect::<Vec<_>>(),
                        "{at:?}, poll {poll}"
                    );
                    let over = at.iter().all(|at| *at <= poll);
                    let asked = if over {
                        Poll::Ready((10, 20, 30))
                    } else {
                        Poll::Pending
                    };
                    assert_eq!(answer, asked, "{at:?}, poll {poll}");
                }
            }
        });
    }
}
