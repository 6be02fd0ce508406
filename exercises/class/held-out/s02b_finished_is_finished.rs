#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    struct Once<T>(Vec<Poll<T>>);

    impl<T> SimpleFuture for Once<T> {
        type Output = T;

        fn poll(&mut self, _: fn()) -> Poll<T> {
            self.0.pop().expect("polled after it was ready")
        }
    }

    fn ready_at<T>(poll: usize, output: T) -> Once<T> {
        let mut answers = vec![Poll::Ready(output)];
        answers.extend((1..poll).map(|_| Poll::Pending));
        Once(answers)
    }

    #[test]
    fn in_every_order() {
        probe::within(Duration::from_secs(2), || {
            for a in 1..5 {
                for b in 1..5 {
                    let mut both = Both {
                        a: ready_at(a, 7),
                        b: ready_at(b, "x"),
                        a_output: None,
                        b_output: None,
                    };
                    for _ in 1..a.max(b) {
                        assert_eq!(both.poll(|| {}), Poll::Pending, "{a} and {b}");
                    }
                    assert_eq!(both.poll(|| {}), Poll::Ready((7, "x")), "{a} and {b}");
                }
            }
        });
    }
}
