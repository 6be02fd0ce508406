//! A future that counts what its executor does to it.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use crate::{BoxFuture, fixtures::Number};

/// What was counted so far. Clones show the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts(Arc<Tally>);

macro_rules! counts {
    ($($name:ident)*) => {
        #[derive(Debug, Default)]
        struct Tally {
            $($name: Number,)*
        }

        impl Counts {
            $(pub(crate) fn $name(&self) -> usize {
                self.0.$name.get()
            })*
        }
    };
}

// A future counts as dropped once its destructor has run.
counts! { polls polls_after_ready completions drops panics }

struct Counted {
    future: BoxFuture,
    // After the future, because fields are dropped in this order.
    counts: CountsTheDrop,
}

struct CountsTheDrop(Counts);

impl Drop for CountsTheDrop {
    fn drop(&mut self) {
        self.0.0.drops.add_one();
    }
}

/// A poll after Ready is counted and not passed on, so a mistake of the executor is a number instead of a panic.
pub(crate) fn counted(future: impl Future<Output = ()> + Send + 'static) -> (BoxFuture, Counts) {
    let counts = Counts::default();
    let counted = Counted {
        future: Box::pin(future),
        counts: CountsTheDrop(counts.clone()),
    };
    (Box::pin(counted), counts)
}

impl Future for Counted {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let tally = Arc::clone(&self.counts.0.0);
        tally.polls.add_one();
        if tally.completions.get() > 0 {
            tally.polls_after_ready.add_one();
            return Poll::Pending;
        }
        let unless_it_returns = CountsAPanic(&tally);
        let poll = self.future.as_mut().poll(cx);
        std::mem::forget(unless_it_returns);
        if poll.is_ready() {
            tally.completions.add_one();
        }
        poll
    }
}

struct CountsAPanic<'a>(&'a Tally);

impl Drop for CountsAPanic<'_> {
    fn drop(&mut self) {
        self.0.panics.add_one();
    }
}
