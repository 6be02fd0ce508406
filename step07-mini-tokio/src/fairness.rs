//! Tasks that never have to wait, and how many of their awaits pass before a neighbour is polled.
//!
//! An executor polls the next task when the poll of the current one returns. A task that awaits only futures that are
//! ready never returns `Pending`, so it keeps the thread until it is finished, unless it yields or a budget ends its poll.

use std::{
    future::{self, Future},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    sync::mpsc::{self, UnboundedReceiver},
    task::yield_now,
};

/// A count of the awaits that a task has completed. Clones share the count.
#[derive(Debug, Clone, Default)]
pub struct Awaits(Arc<AtomicUsize>);

impl Awaits {
    /// Returns the count so far.
    pub fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Awaits `future`, and adds one when it has returned.
    async fn count<F: Future>(&self, future: F) -> F::Output {
        let output = future.await;
        self.0.fetch_add(1, Ordering::Relaxed);
        output
    }
}

/// Returns a closed channel of tokio's that holds `messages` messages, so that each of them is ready to be received.
pub fn full_channel(messages: usize) -> UnboundedReceiver<()> {
    let (sender, receiver) = mpsc::unbounded_channel();
    for _ in 0..messages {
        sender.send(()).expect("the receiver is here");
    }
    receiver
}

/// Receives every message and counts them.
// ANCHOR: greedy
pub async fn receive_all(mut channel: UnboundedReceiver<()>, awaits: Awaits) {
    while !channel.is_empty() {
        awaits.count(channel.recv()).await;
    }
}
// ANCHOR_END: greedy

/// Receives every message and counts them, and lets the other tasks have a turn after every `share` messages.
pub async fn receive_fairly(mut channel: UnboundedReceiver<()>, share: usize, awaits: Awaits) {
    while !channel.is_empty() {
        awaits.count(channel.recv()).await;
        if awaits.get() % share == 0 {
            yield_now().await;
        }
    }
}

/// Awaits `times` futures of the standard library that are ready, and counts them.
pub async fn await_ready(times: usize, awaits: Awaits) {
    for _ in 0..times {
        awaits.count(future::ready(())).await;
    }
}
