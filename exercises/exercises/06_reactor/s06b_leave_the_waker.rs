//! s06b · complete · 15 minutes · chapter 06, "One thread for all timers"
//!
//! A `Call` is a future that waits until somebody calls it by its id, as a timer waits for the reactor. The two share
//! a board: each call that is waited for has an entry there, with the waker of its latest poll.
//!
//! Write `Call::poll` and `Call::drop`. A call that was made is ready, whenever it was made. A future that is dropped
//! leaves nothing on the board; that of *Parker and Reactor* (003) stays until it fires (D41). To let go of a waker while
//! the board is locked is accepted here: what is wrong with that is the next exercise.
//!
//! Run: `cargo test --bin s06b_leave_the_waker`, or save this file while `rustlings` runs.
//! Red: the watchdog says what became of the waker, or a test says what is left on the board.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

type Id = u64;

/// What the futures and those who call them share.
#[derive(Default)]
struct Board {
    entries: Mutex<BTreeMap<Id, Entry>>,
}

enum Entry {
    /// Not called. The waker of the latest poll, once there was one.
    Waiting(Option<Waker>),
    /// Called.
    Called,
}

impl Board {
    /// A future that is ready once `call(id)` has been called.
    fn wait_for(self: &Arc<Board>, id: Id) -> Call {
        self.entries
            .lock()
            .unwrap()
            .insert(id, Entry::Waiting(None));
        Call {
            board: Arc::clone(self),
            id,
        }
    }

    /// Makes the call, if somebody still waits for it.
    fn call(&self, id: Id) {
        let mut entries = self.entries.lock().unwrap();
        let Some(entry) = entries.get_mut(&id) else {
            return;
        };
        let before = std::mem::replace(entry, Entry::Called);
        drop(entries);
        if let Entry::Waiting(Some(waker)) = before {
            waker.wake();
        }
    }

    /// How many entries there are.
    fn len(&self) -> usize {
        self.entries.lock().unwrap().len()
    }
}

/// Waits for a call.
struct Call {
    board: Arc<Board>,
    id: Id,
}

impl Future for Call {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // TODO: look at the entry. Called: ready. Waiting: leave the waker, and be pending.
        let _ = cx;
        Poll::Pending
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        // TODO: leave nothing behind.
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use probe::{CountingWaker, watch, within};
    use std::{future::poll_fn, thread, time::Duration};
    use step05_parker_block_on::block_on;

    const LIMIT: Duration = Duration::from_secs(2);

    fn poll<F: Future>(future: Pin<&mut F>, waker: &Waker) -> Poll<F::Output> {
        future.poll(&mut Context::from_waker(waker))
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
            "the call is over, and its entry is still on the board"
        );
    }

    #[test]
    fn a_call_that_came_first_is_ready_at_once() {
        let board = Arc::new(Board::default());
        let mut waiting = Box::pin(board.wait_for(1));
        board.call(1);
        assert!(
            poll(waiting.as_mut(), Waker::noop()).is_ready(),
            "the call was made before the first poll, and that poll was pending. Nobody will call again: look at the \
             entry before you leave a waker there."
        );
    }

    #[test]
    fn a_poll_without_a_call_is_pending_again() {
        let board = Arc::new(Board::default());
        let mut waiting = Box::pin(board.wait_for(1));
        for polls in 1..=3 {
            assert!(
                poll(waiting.as_mut(), Waker::noop()).is_pending(),
                "nobody has called, and the future was ready at poll {polls}. A poll may come for any reason; only the \
                 board says whether the call was made."
            );
        }
    }

    #[test]
    fn the_task_that_polled_last_is_the_one_that_is_woken() {
        let board = Arc::new(Board::default());
        let first = CountingWaker::new();
        within(LIMIT, || {
            let mut waiting = Box::pin(watch("a call that changed its task", board.wait_for(1)));
            assert!(poll(waiting.as_mut(), &first.waker()).is_pending());
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
    fn dropped_it_leaves_nothing() {
        let board = Arc::new(Board::default());
        let waker = CountingWaker::new();
        let mut waiting = Box::pin(board.wait_for(1));
        let _ = poll(waiting.as_mut(), &waker.waker());
        drop(waiting);
        assert_eq!(
            board.len(),
            0,
            "a future was dropped, and its entry is still on the board: nobody will ever take it out. What can a \
             future do when it goes?"
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
            "nobody waits any more, and somebody was woken"
        );
    }
}
