//! A future that counts what its executor does to it.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll},
};

/// Wraps a future, and counts how it is polled and dropped. A poll after `Ready` is not forwarded, and answered with `Pending`.
#[derive(Debug)]
pub struct Counted<F> {
    future: Pin<Box<F>>,
    // After the future, since fields are dropped in this order: it is counted as dropped once its destructor has run.
    dropped: OnDrop,
}

/// What a [`Counted`] future has seen so far. Clones show the same, later counts included.
#[derive(Clone, Debug)]
pub struct Counts(Arc<Tally>);

/// Each count, and the method that reads it.
macro_rules! tally {
    ($($(#[$doc:meta])* $count:ident)*) => {
        #[derive(Debug, Default)]
        struct Tally { $($count: AtomicUsize),* }

        impl Counts {
            $($(#[$doc])* pub fn $count(&self) -> usize { self.0.$count.load(SeqCst) })*
        }
    };
}

tally! {
    /// How often it was polled, polls after `Ready` included.
    polls
    /// How often it was polled although it had been `Ready`. No executor may do that.
    polls_after_ready
    /// How often it was `Ready`: 0 or 1.
    completions
    /// How often the wrapped future was dropped: 0, or 1 once its destructor has run.
    drops
    /// How often a poll panicked.
    panics
}

impl<F> Counted<F> {
    /// Wraps `future`. It is moved to the heap, so any future will do.
    pub fn new(future: F) -> Self {
        let dropped = OnDrop(Counts(Arc::default()));
        Self {
            future: Box::pin(future),
            dropped,
        }
    }

    /// The counts, to keep when the future itself is given away.
    pub fn counts(&self) -> Counts {
        self.dropped.0.clone()
    }
}

impl<F: Future> Future for Counted<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let counts = self.counts();
        counts.0.polls.fetch_add(1, SeqCst);
        if counts.completions() > 0 {
            counts.0.polls_after_ready.fetch_add(1, SeqCst);
            return Poll::Pending;
        }
        let unless_it_returns = PanicCount(&counts);
        let poll = self.future.as_mut().poll(cx);
        std::mem::forget(unless_it_returns);
        if poll.is_ready() {
            counts.0.completions.fetch_add(1, SeqCst);
        }
        poll
    }
}

#[derive(Debug)]
struct OnDrop(Counts);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.0.drops.fetch_add(1, SeqCst);
    }
}

struct PanicCount<'a>(&'a Counts);

impl Drop for PanicCount<'_> {
    fn drop(&mut self) {
        self.0.0.panics.fetch_add(1, SeqCst);
    }
}
