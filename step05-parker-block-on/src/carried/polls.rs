//! How often is a future polled? A counter that can be put around any future.

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
    /// The same future; each of its polls is added to this count. It does not borrow the count, but shares it.
    pub fn count<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        let polls = self.clone();
        let mut future = Box::pin(future);
        poll_fn(move |cx| {
            polls.0.fetch_add(1, Ordering::Relaxed);
            future.as_mut().poll(cx)
        })
    }

    /// How many polls there were so far.
    pub fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl fmt::Display for Polls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
