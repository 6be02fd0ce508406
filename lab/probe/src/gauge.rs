//! A gauge: how many tasks exist now.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll},
};

/// Counts the futures that exist. Back at zero, it says that an executor has dropped every task it was given. Clones of it
/// share the count.
#[derive(Clone, Debug, Default)]
pub struct Tasks(Arc<Gauge>);

#[derive(Debug, Default)]
struct Gauge {
    live: AtomicUsize,
    most: AtomicUsize,
    made: AtomicUsize,
}

impl Tasks {
    /// A gauge at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts `future` from now until it has been dropped.
    pub fn watch<F: Future>(&self, future: F) -> OnGauge<F> {
        let live = self.0.live.fetch_add(1, SeqCst) + 1;
        self.0.most.fetch_max(live, SeqCst);
        self.0.made.fetch_add(1, SeqCst);
        OnGauge(Box::pin(future), Leave(self.clone()))
    }

    /// How many exist now.
    pub fn live(&self) -> usize {
        self.0.live.load(SeqCst)
    }

    /// The most that ever existed at one time.
    pub fn most(&self) -> usize {
        self.0.most.load(SeqCst)
    }

    /// How many there were in all.
    pub fn made(&self) -> usize {
        self.0.made.load(SeqCst)
    }
}

/// A future that [`Tasks`] counts.
#[derive(Debug)]
// Fields are dropped in this order: the future counts until its destructor has run.
pub struct OnGauge<F>(Pin<Box<F>>, #[expect(dead_code)] Leave);

impl<F: Future> Future for OnGauge<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.0.as_mut().poll(cx)
    }
}

#[derive(Debug)]
struct Leave(Tasks);

impl Drop for Leave {
    fn drop(&mut self) {
        self.0.0.live.fetch_sub(1, SeqCst);
    }
}
