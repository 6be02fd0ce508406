//! s06b · complete · 15 minutes · chapter 06, "One thread for all timers"
//!
//! A `Call` is a future that is ready once it has been called by its number, like a timer that is finished by the reactor.
//! The futures and their callers share a board. Each call that a future waits for has an entry there, with the waker of
//! the latest poll.
//!
//! Write `Call::poll` and `Call::drop`. A call that was made before the first poll counts too. A future that is dropped
//! leaves nothing on the board; the timers of *Parker and Reactor* (003) stay there until they fire (D41). The code of a waker
//! may use the board when it is cloned or dropped, so the board must not be locked then, as in s05f.
//!
//! Run: `cargo test --bin s06b_leave_the_waker`, or save this file while `rustlings` runs.
//! Red: the watchdog says what became of the waker, and ends the run. Other tests may have failed by then, and their
//! messages are missing, so fix what the watchdog says first. After that, the tests say what is left on the board.

use probe::Mutex;
use std::{
    collections::BTreeMap,
    future::Future,
    pin::Pin,
    sync::Arc,
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
        // TODO: ready if the call was made. Otherwise leave the waker in the entry.
        let _ = cx;
        Poll::Pending
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        // TODO: take the entry off the board.
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s06b_leave_the_waker.rs"]
mod tests;
