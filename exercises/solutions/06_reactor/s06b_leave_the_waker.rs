//! s06b · complete · 15 minutes · chapter 06, "One thread for all timers"
//!
//! A `Call` is a future that is ready once it has been called by its number, like a timer that is finished by the reactor.
//! The futures and their callers share a board. Each call that a future waits for has an entry there, with the waker of
//! the latest poll.
//!
//! Write `Call::poll` and `Call::drop`. A call that was made before the first poll counts too. A future that is dropped
//! leaves nothing on the board; the timers of *Parker and Reactor* (003) stay there until they fire (D41). You may drop a
//! waker while the board is locked. What is wrong with that is the next exercise.
//!
//! Run: `cargo test --bin s06b_leave_the_waker`, or save this file while `rustlings` runs.
//! Red: the watchdog says what became of the waker, and ends the run. Other tests may have failed by then, and their
//! messages are missing, so fix what the watchdog says first. After that, the tests say what is left on the board.

use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

type Id = u64;

/// What the futures and their callers share.
#[derive(Default)]
struct Board {
    entries: Mutex<BTreeMap<Id, Entry>>,
}

enum Entry {
    /// Not called yet. Holds the waker of the latest poll, if there was a poll.
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

    /// Makes the call, if a future still waits for it.
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
        // Cloning and dropping a waker may run code that needs this lock, so both are done while it is free.
        let waker = cx.waker().clone();
        let mut entries = self.board.entries.lock().unwrap();
        let Some(Entry::Waiting(slot)) = entries.get_mut(&self.id) else {
            return Poll::Ready(());
        };
        // Also if there was a waker already, because this poll may come from another task than the one before.
        let earlier = slot.replace(waker);
        drop(entries);
        drop(earlier);
        Poll::Pending
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        // In two statements, so that the lock is released before the waker in the entry is dropped.
        let entry = self.board.entries.lock().unwrap().remove(&self.id);
        drop(entry);
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
}
