#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Waker};

    fn polls<T>(future: impl Future<Output = T>) -> Option<usize> {
        let mut future = pin!(future);
        let mut cx = Context::from_waker(Waker::noop());
        (1..100).find(|_| future.as_mut().poll(&mut cx).is_ready())
    }

    #[test]
    fn polled_by_hand() {
        assert_eq!(THREE_LINES, polls(three_lines()), "THREE_LINES");
        assert_eq!(TWO_YIELDS, polls(two_yields()), "TWO_YIELDS");
        assert_eq!(
            TWO_THAT_ARE_READY,
            polls(two_that_are_ready()),
            "TWO_THAT_ARE_READY"
        );
        assert_eq!(SIDE_BY_SIDE, polls(side_by_side()), "SIDE_BY_SIDE");
    }
}
