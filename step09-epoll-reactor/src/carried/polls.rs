//! Counts how often a future is polled.

use std::{
    fmt,
    future::{Future, poll_fn},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// A count of polls. Clones share the count.
#[derive(Debug, Clone, Default)]
pub struct Polls(Arc<AtomicUsize>);

impl Polls {
    /// Wraps a future so that each of its polls is added to this count. The wrapper shares the count and does not borrow it.
    pub fn count<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        let polls = self.clone();
        let mut future = Box::pin(future);
        poll_fn(move |cx| {
            polls.0.fetch_add(1, Ordering::Relaxed);
            future.as_mut().poll(cx)
        })
    }

    /// The number of polls so far.
    pub fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl fmt::Display for Polls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
