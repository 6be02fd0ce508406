//! A future that stands between the executor and another future, and sees all that passes.

use std::{
    panic::Location,
    pin::Pin,
    sync::{Arc, Weak},
    task::{Context, Poll, Waker},
};

use pin_project_lite::pin_project;

use crate::see::{
    event::What,
    own_waker::Lent,
    place::Line,
    poke::Answer,
    raw_waker::{self, Observed},
    scope,
    task::{self, Pokes, Task, Types},
};

/// Watches `future` under a name, for [`within`](crate::within) and [`record`](crate::record).
#[track_caller]
pub fn watch<F: Future>(name: impl Into<String>, future: F) -> Watched<Pin<Box<F>>> {
    let name = Some(name.into().into());
    watched_as(name, Location::caller(), Box::pin(future))
}

/// The same, under the name of the line that calls this, such as `src/main.rs:12`.
#[track_caller]
pub fn watched<F: Future>(future: F) -> Watched<Pin<Box<F>>> {
    watched_as(None, Location::caller(), Box::pin(future))
}

pub(crate) fn watched_as<F: Future>(name: Option<Arc<str>>, made: Line, future: F) -> Watched<F> {
    let watch = Watch {
        kept: Vec::new(),
        wakers: 0,
        ready: false,
        task: OnDrop(Task::new(
            name,
            made,
            false,
            Types::of::<F, F::Output>(),
            scope::watchers(),
        )),
    };
    Watched { future, watch }
}

pin_project! {
    /// A future that is watched: see [`watch`].
    ///
    /// The future inside is handed a waker of this crate's own, which wakes the executor's. A wake by value reaches that as one
    /// by reference and a drop. A poll after `Ready` is noted, not forwarded, and answered with `Pending`.
    #[derive(Debug)]
    pub struct Watched<F> {
        #[pin]
        future: F,
        // After the future: its drop is noted once the destructor has run.
        pub(crate) watch: Watch,
    }
}

#[derive(Debug)]
pub(crate) struct Watch {
    /// The wakers that were handed in and may still be kept. Weak: an executor's waker may own this future.
    pub(crate) kept: Vec<Weak<Observed>>,
    wakers: u32,
    ready: bool,
    pub(crate) task: OnDrop,
}

#[derive(Debug)]
pub(crate) struct OnDrop(pub(crate) Arc<Task>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.note(What::Drop, false);
    }
}

impl Watch {
    /// The number of the waker to hand in, and the earlier one if that is still kept and the executor's is the same.
    fn waker_for(&mut self, executors: &Waker) -> (u32, Option<Arc<Observed>>) {
        self.kept.retain(|kept| kept.strong_count() > 0);
        for kept in self.kept.iter().rev().filter_map(Weak::upgrade) {
            let own = kept.own().filter(|own| own.executors.is(executors));
            if let Some(number) = own.map(|own| own.number) {
                return (number, Some(kept));
            }
        }
        self.wakers += 1;
        (self.wakers, None)
    }
}

/// A poll that goes on. One that ends without saying how has panicked.
struct Polling<'a> {
    lent: &'a Lent<'a>,
    outcome: What,
}

impl Drop for Polling<'_> {
    fn drop(&mut self) {
        // If the poll has not kept its waker, nothing can wake the task by it.
        let kept = kept(self.lent).map(|waker| Arc::downgrade(waker) as Weak<dyn Pokes>);
        task::end_poll(self.lent.task, &self.outcome, kept);
    }
}

/// What the clones of this waker share, if there are any.
fn kept<'a>(lent: &'a Lent<'_>) -> Option<&'a Arc<Observed>> {
    lent.made().filter(|made| Arc::strong_count(made) > 1)
}

impl<F: Future> Future for Watched<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let inner = self.project();
        let this = inner.watch;
        if this.ready {
            this.task.0.note(What::PollAfterReady, false);
            return Poll::Pending;
        }
        if this.wakers == 0 {
            scope::begin_here(&this.task.0);
        }
        let request = this.task.0.poke.begin();
        let executors = cx.waker();
        let (number, earlier) = this.waker_for(executors);
        let task = &this.task.0;
        task::begin_poll(task, number, executors, request.is_provoked);
        let lent = if request.traced > 0 {
            Lent::traced(task, number, executors, request.traced)
        } else {
            Lent::new(task, number, executors, earlier)
        };
        let mut polling = Polling {
            lent: &lent,
            outcome: What::Panic,
        };
        let poll = raw_waker::lend(&lent, |waker| {
            inner.future.poll(&mut Context::from_waker(waker))
        });
        if let Some(new) = kept(&lent).filter(|kept| Arc::weak_count(kept) == 0) {
            this.kept.push(Arc::downgrade(new));
        }
        this.ready = poll.is_ready();
        polling.outcome = if this.ready {
            What::Ready
        } else {
            What::Pending
        };
        drop(polling);
        if request.traced > 0 {
            let facts = task.facts();
            task.poke.end(Answer {
                is_ready: this.ready,
                goes_on: facts.wakes_by_own_poll > 0,
                wakes: facts.wakes - facts.wakes_by_own_poll,
            });
        }
        if request.stays {
            std::mem::forget(poll);
            return Poll::Pending;
        }
        poll
    }
}
