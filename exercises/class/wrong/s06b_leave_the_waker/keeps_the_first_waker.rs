//! s06b · complete · 15 minutes · chapter 06, "One thread for every timer"
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
        let mut entries = self.board.entries.lock().unwrap();
        let Some(Entry::Waiting(slot)) = entries.get_mut(&self.id) else {
            return Poll::Ready(());
        };
        // ANCHOR: slip
        if slot.is_none() {
            *slot = Some(cx.waker().clone());
        }
        // ANCHOR_END: slip
        Poll::Pending
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        // In two statements, so that the lock is free before the waker in the entry is dropped.
        let entry = self.board.entries.lock().unwrap().remove(&self.id);
        drop(entry);
    }
}

fn main() {}
