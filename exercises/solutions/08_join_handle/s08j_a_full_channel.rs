//! s08j · complete · 25 minutes · chapter 08, "Deeper: many waiters"
//!
//! A channel with room for a fixed number of values slows its senders down, so it needs no more memory however slow the
//! receiver is. That's backpressure. The chapter's channel hands its room over, as permits. This one promises less: `take`
//! makes room, and then it's the *turn* of the sender that has waited longest. The sender is woken, but the room isn't kept
//! for it, so a newcomer may be faster.
//!
//! Write `poll` and `drop` of `Sending`, so that they keep three rules:
//!
//! 1. The channel never holds more values than it has room for. Of a `Sending` that waits it keeps one waker, that of the latest
//!    poll, under one ticket. So a sender keeps its place, however often it's polled.
//! 2. As long as there is room and senders wait, it's the turn of one of them. A sender whose turn it is may be dropped, for
//!    example by a timeout, and then hands its turn on. One without a turn wakes nobody and leaves nothing behind.
//! 3. The clone, the call and the drop of a waker may use the channel, so its lock is free then.
//!
//! Run: `cargo test --bin s08j_a_full_channel`, or save this file while `rustlings` runs.
//! Red: a test says what happened to the senders A, B and C, and which of them should have been woken.

use std::{
    collections::{BTreeMap, VecDeque},
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

/// Clones share the channel.
#[derive(Clone)]
struct Channel<T>(Arc<probe::Mutex<Shared<T>>>);

struct Shared<T> {
    /// What was sent and has not been taken.
    values: VecDeque<T>,
    /// So many values at most.
    room: usize,
    /// The senders that wait and whose turn it isn't, by their tickets.
    waiting: BTreeMap<u64, Waker>,
    /// The ticket that was given out last.
    latest: u64,
}

impl<T> Channel<T> {
    fn new(room: usize) -> Channel<T> {
        Channel(Arc::new(probe::Mutex::new(Shared {
            values: VecDeque::new(),
            room,
            waiting: BTreeMap::new(),
            latest: 0,
        })))
    }

    /// Returns a future that is ready once the value is in the channel.
    fn send(&self, value: T) -> Sending<T> {
        Sending {
            channel: Channel(Arc::clone(&self.0)),
            value: Some(value),
            ticket: None,
        }
    }

    /// Takes out the value that was sent first, if there is one. A receiver would wait here.
    fn take(&self) -> Option<T> {
        let value = self.0.lock().unwrap().values.pop_front()?;
        self.next_turn();
        Some(value)
    }

    /// Now it's the turn of the sender that has waited longest. It leaves `waiting`, and is woken.
    fn next_turn(&self) {
        let next = self.0.lock().unwrap().waiting.pop_first();
        if let Some((_ticket, waker)) = next {
            waker.wake();
        }
    }
}

struct Sending<T> {
    channel: Channel<T>,
    /// `None`: it's in the channel.
    value: Option<T>,
    /// `None`: it doesn't wait.
    ticket: Option<u64>,
}

impl<T: Unpin> Future for Sending<T> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // Before the lock is taken, since the clone of a waker is code that we do not control.
        let waker = cx.waker().clone();
        let this = &mut *self;
        let mut shared = this.channel.0.lock().unwrap();
        if shared.values.len() < shared.room {
            let value = this.value.take().expect("polled after it was ready");
            shared.values.push_back(value);
            // If it wasn't its turn, its waker is still there, and would get the next turn.
            let ticket = this.ticket.take();
            let waiting = ticket.and_then(|ticket| shared.waiting.remove(&ticket));
            drop(shared);
            drop(waiting);
            return Poll::Ready(());
        }
        let ticket = *this.ticket.get_or_insert_with(|| {
            shared.latest += 1;
            shared.latest
        });
        let earlier = shared.waiting.insert(ticket, waker);
        drop(shared);
        drop(earlier);
        Poll::Pending
    }
}

impl<T> Drop for Sending<T> {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket else {
            return;
        };
        let mut shared = self.channel.0.lock().unwrap();
        let waiting = shared.waiting.remove(&ticket);
        drop(shared);
        // It wasn't there, so it was this sender's turn, which is the next one's now.
        if waiting.is_none() {
            self.channel.next_turn();
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s08j_a_full_channel.rs"]
mod tests;
