use super::*;
use probe::{CountingWaker, in_gap, watch, within};
use std::{future::poll_fn, thread, time::Duration};
use step05_parker_block_on::block_on;

mod blocks;
mod foreign;

const LIMIT: Duration = Duration::from_secs(2);

fn poll(call: Pin<&mut Call>, waker: &Waker) -> Poll<()> {
    let mut cx = Context::from_waker(waker);
    within(LIMIT, || Pin::new(&mut watch("a call", call)).poll(&mut cx))
}

#[test]
fn a_call_that_comes_later_wakes() {
    let board = Arc::new(Board::default());
    let waiting = board.wait_for(1);
    thread::spawn({
        let board = Arc::clone(&board);
        move || {
            thread::sleep(Duration::from_millis(30));
            board.call(1);
        }
    });
    within(LIMIT, || block_on(watch("a call", waiting)));
    assert_eq!(
        board.len(),
        0,
        "the call was made and its future is gone, but its entry is still on the board: write `drop` too"
    );
}

#[test]
fn a_call_that_came_first_is_ready_at_once() {
    let board = Arc::new(Board::default());
    let mut waiting = Box::pin(board.wait_for(1));
    board.call(1);
    assert!(
        poll(waiting.as_mut(), Waker::noop()).is_ready(),
        "the call was made before the first poll, and that poll was pending. No second call will come, so check \
         the entry before you leave a waker there."
    );
}

#[test]
fn a_poll_without_a_call_is_pending_again() {
    let board = Arc::new(Board::default());
    let mut waiting = Box::pin(board.wait_for(1));
    for polls in 1..=3 {
        assert!(
            poll(waiting.as_mut(), Waker::noop()).is_pending(),
            "no call was made, and the future was ready at poll {polls}. A poll may come for any reason; only the \
             board says whether the call was made."
        );
    }
}

#[test]
fn a_poll_without_a_call_does_not_wait_for_it() {
    let board = Arc::new(Board::default());
    let mut waiting = board.wait_for(1);
    blocks::assert_never("A future whose call nobody makes", || {
        let mut cx = Context::from_waker(Waker::noop());
        let _ = Pin::new(&mut waiting).poll(&mut cx);
    });
}

#[test]
fn the_task_that_polled_last_is_the_one_that_is_woken() {
    let board = Arc::new(Board::default());
    let first = CountingWaker::new();
    within(LIMIT, || {
        let mut waiting = Box::pin(watch("a call that changed its task", board.wait_for(1)));
        let waker = first.waker();
        let polled = waiting.as_mut().poll(&mut Context::from_waker(&waker));
        assert!(polled.is_pending(), "no call was made");
        drop(waker);
        // The call comes when the second task has polled too.
        let mut caller = Some(Arc::clone(&board));
        block_on(poll_fn(|cx| {
            let answer = waiting.as_mut().poll(cx);
            if let Some(board) = caller.take() {
                thread::spawn(move || board.call(1));
            }
            answer
        }));
    });
    assert_eq!(
        (first.wakes(), first.live()),
        (0, 0),
        "the waker of the first poll was woken, or is still kept"
    );
}

#[test]
fn a_call_may_come_between_two_locks_of_a_poll() {
    // A poll has fewer gaps, unless it looks again and again, of which another test says more.
    for gap in 0..10 {
        let board = Arc::new(Board::default());
        let mut waiting = Box::pin(board.wait_for(1));
        let waker = CountingWaker::new();
        let calls = Arc::clone(&board);
        let act = || poll(waiting.as_mut(), &waker.waker());
        let (answer, gaps) = in_gap(gap, move || calls.call(1), act);
        if gap >= gaps {
            break;
        }
        assert!(
            answer.is_ready() || waker.wakes() > 0,
            "a poll released the lock, the call was made, and the poll returned Pending: its task is never woken. \
             Check the entry and leave the waker there under one lock."
        );
    }
}

#[test]
fn dropped_it_leaves_nothing_whether_it_was_polled_or_called() {
    for (polled, called) in [(false, false), (false, true), (true, true)] {
        let board = Arc::new(Board::default());
        let mut waiting = Box::pin(board.wait_for(1));
        let _others = [2, 3].map(|id| board.wait_for(id));
        board.call(3);
        for is_called in [false, called] {
            if is_called {
                board.call(1);
            }
            if polled {
                let _ = poll(waiting.as_mut(), Waker::noop());
            }
        }
        drop(waiting);
        let left: Vec<_> = board.entries.lock().unwrap().keys().copied().collect();
        assert_eq!(
            left,
            [2, 3],
            "a future was dropped (polled: {polled}, called: {called}). Its entry is number 1, and 2 and 3 are those of other \
             futures, of which the second has been called. Left are the entries on the board, right those that should be"
        );
    }
}

#[test]
fn dropped_it_leaves_nothing() {
    let board = Arc::new(Board::default());
    let waker = CountingWaker::new();
    let mut waiting = Box::pin(board.wait_for(1));
    let _ = poll(waiting.as_mut(), &waker.waker());
    drop(waiting);
    assert_eq!(
        board.len(),
        0,
        "a future was dropped, and its entry is still on the board, where it stays forever. Which code of a future \
         runs when it is dropped?"
    );
    assert_eq!(
        waker.live(),
        0,
        "a future was dropped, and its waker is still kept"
    );
    board.call(1);
    assert_eq!(
        waker.wakes(),
        0,
        "no future waits any more, and a task was woken"
    );
}

#[test]
fn a_waker_may_use_the_board() {
    let is_free = |board: &Arc<Board>| board.entries.try_lock().is_ok();
    within(LIMIT, || {
        foreign::wakers_find_the_lock_free(Arc::default, is_free, |board, tasks| {
            // Without `watch`, which would clone the waker first, and keep the clone.
            let poll = |call: &mut Call| {
                let waker = tasks.waker();
                let _ = Pin::new(call).poll(&mut Context::from_waker(&waker));
            };
            for is_called in [false, true] {
                let mut waiting = board.wait_for(1);
                tasks.step("a first poll");
                poll(&mut waiting);
                tasks.step("a second poll, by another task");
                poll(&mut waiting);
                if is_called {
                    tasks.step("the call is made");
                    board.call(1);
                    tasks.step("a poll after the call");
                    poll(&mut waiting);
                }
                tasks.step("the future is dropped");
                drop(waiting);
            }
        });
    });
}
