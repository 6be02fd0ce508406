//! The queue of the executor. It also says whether the executor sleeps, because only then does a wake cost a system call.

use std::{collections::VecDeque, fmt, mem};

use crate::sync::{Mutex, MutexGuard};

/// Items for one consumer, first in, first out.
pub(crate) struct Queue<T>(Mutex<State<T>>);

struct State<T> {
    items: VecDeque<T>,
    /// The consumer has found the queue empty, and sleeps or is about to.
    asleep: bool,
    /// No item is accepted any more.
    closed: bool,
}

impl<T> Queue<T> {
    pub(crate) fn new() -> Queue<T> {
        Queue(Mutex::new(State {
            items: VecDeque::new(),
            asleep: false,
            closed: false,
        }))
    }

    /// Adds an item at the back. Returns whether the consumer sleeps. A closed queue drops the item.
    #[must_use = "if true, the caller must unpark the consumer, because no other push will"]
    pub(crate) fn push(&self, item: T) -> bool {
        let mut state = self.lock();
        if state.closed {
            return false; // drops the guard, then `item`
        }
        // ANCHOR: pushed
        state.items.push_back(item);
        mem::take(&mut state.asleep)
        // ANCHOR_END: pushed
    }

    /// Takes the item at the front, if there is one.
    pub(crate) fn pop(&self) -> Option<T> {
        self.lock().items.pop_front()
    }

    /// Called by the consumer before it sleeps. Returns `false` if there is an item, and then it must not sleep.
    // ANCHOR: asleep
    // ANCHOR: fall_asleep
    pub(crate) fn fall_asleep(&self) -> bool {
        // A push on another thread comes before this lock, and then there is an item, or after
        // it, and then the push sees `asleep` and ends the sleep, even one that has not begun.
        let mut state = self.lock();
        state.asleep = state.items.is_empty();
        state.asleep
    }
    // ANCHOR_END: fall_asleep

    /// Called by the consumer when it has slept.
    pub(crate) fn wake_up(&self) {
        self.lock().asleep = false;
    }
    // ANCHOR_END: asleep

    /// Drops all items, and accepts no more.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        let items = mem::take(&mut state.items);
        drop(state);
        drop(items);
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.0
            .lock()
            .expect("no code panics while it holds this lock")
    }
}

impl<T> fmt::Debug for Queue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = self.lock().items.len();
        write!(f, "{items} in the queue") // without the lock, as this writes by code that we do not control
    }
}
