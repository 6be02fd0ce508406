//! The queue that all workers share: under one lock, with a condition variable on which idle workers sleep.

use std::{collections::VecDeque, fmt, mem};

use crate::{
    lock::lock,
    sync::{Condvar, Mutex},
};

/// A queue of tasks that are to be polled, first in, first out.
pub struct Queue<T> {
    state: Mutex<State<T>>,
    /// Notified when an item has been pushed, and when the queue is closed.
    changed: Condvar,
}

struct State<T> {
    items: VecDeque<T>,
    /// The number of workers that sleep in `pop`.
    sleeping: usize,
    /// Whether the workers are to end, whatever is left in the queue.
    stopped: bool,
    /// Whether what is pushed is dropped.
    closed: bool,
}

impl<T> Queue<T> {
    /// Creates an empty queue.
    pub fn new() -> Queue<T> {
        Queue {
            state: Mutex::new(State {
                items: VecDeque::new(),
                sleeping: 0,
                stopped: false,
                closed: false,
            }),
            changed: Condvar::new(),
        }
    }

    // ANCHOR: push
    /// Adds an item at the back, and wakes a worker if one sleeps. A closed queue drops the item.
    pub fn push(&self, item: T) {
        let mut state = lock(&self.state);
        if state.closed {
            return; // drops the guard, then `item`
        }
        state.items.push_back(item);
        drop(state);
        self.changed.notify_one();
    }
    // ANCHOR_END: push

    /// Takes the item at the front. Blocks the calling thread until there is an item. Returns
    /// `None` once the workers are to end, even if items are left.
    pub fn pop(&self) -> Option<T> {
        let mut state = lock(&self.state);
        while state.items.is_empty() && !state.stopped {
            state.sleeping += 1;
            let woken = self.changed.wait(state);
            state = woken.expect("no code panics while it holds this lock");
            state.sleeping -= 1;
        }
        if state.stopped {
            return None;
        }
        state.items.pop_front()
    }

    /// Takes the item at the front, if there is one.
    pub fn try_pop(&self) -> Option<T> {
        lock(&self.state).items.pop_front()
    }

    /// Ends every [`pop`](Queue::pop), those that sleep included. Items are still accepted.
    pub(crate) fn stop(&self) {
        lock(&self.state).stopped = true;
        self.changed.notify_all();
    }

    // ANCHOR: close
    /// Ends every [`pop`](Queue::pop), and drops all items. From then on, a
    /// [`push`](Queue::push) drops its item.
    pub fn close(&self) {
        self.stop();
        let mut state = lock(&self.state);
        state.closed = true;
        let items = mem::take(&mut state.items);
        drop(state);
        drop(items);
    }
    // ANCHOR_END: close

    /// Whether the queue is closed, or about to be.
    pub(crate) fn is_stopped(&self) -> bool {
        lock(&self.state).stopped
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        lock(&self.state).items.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of workers that sleep in [`pop`](Queue::pop).
    pub fn sleeping(&self) -> usize {
        lock(&self.state).sleeping
    }

    /// How many more items there are than workers that sleep. A worker that has been notified counts as asleep until it runs
    /// again, so the item that it will take is not among them.
    pub(crate) fn backlog(&self) -> usize {
        let state = lock(&self.state);
        state.items.len().saturating_sub(state.sleeping)
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue::new()
    }
}

impl<T> fmt::Debug for Queue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = lock(&self.state);
        let (items, sleeping) = (state.items.len(), state.sleeping);
        drop(state); // as this writes by code that we do not control
        write!(f, "{items} in the queue, {sleeping} asleep")
    }
}
