#[cfg(test)]
mod tests {
    use super::*;
    use probe::{CountingWaker, watch, within};
    use std::{thread, time::Duration};
    use step05_parker_block_on::block_on;

    const LIMIT: Duration = Duration::from_secs(2);

    #[test]
    fn a_hundred_are_called_in_any_order() {
        let board = Arc::new(Board::default());
        let calls: Vec<_> = (0..100).map(|id| board.wait_for(id)).collect();
        thread::spawn({
            let board = Arc::clone(&board);
            move || (0..100).for_each(|i| board.call(i * 37 % 100))
        });
        within(LIMIT, || {
            block_on(watch("a hundred calls", async {
                for call in calls {
                    call.await;
                }
            }));
        });
        assert_eq!(board.len(), 0, "entries on the board after a hundred calls");
    }

    #[test]
    fn of_three_wakers_the_last_is_kept_and_called() {
        let board = Arc::new(Board::default());
        let mut waiting = Box::pin(board.wait_for(7));
        let wakers = [(); 3].map(|()| CountingWaker::new());
        for waker in &wakers {
            let answer = waiting
                .as_mut()
                .poll(&mut Context::from_waker(&waker.waker()));
            assert!(answer.is_pending(), "no call was made, and a poll is ready");
        }
        assert_eq!(
            wakers.each_ref().map(CountingWaker::live),
            [0, 0, 1],
            "wakers that are kept"
        );
        board.call(7);
        assert_eq!(
            wakers.each_ref().map(CountingWaker::wakes),
            [0, 0, 1],
            "wakes by the call"
        );
        assert!(
            waiting
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
                .is_ready(),
            "called, and the next poll is pending"
        );
    }

    #[test]
    fn dropped_before_the_first_poll_and_after_the_call_they_leave_nothing() {
        let board = Arc::new(Board::default());
        drop(board.wait_for(1));
        let called = board.wait_for(2);
        board.call(2);
        drop(called);
        assert_eq!(board.len(), 0, "entries that dropped futures left");
    }
}
