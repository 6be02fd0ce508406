//! A future that stands between the executor and another future, and sees all that passes.

use std::{
    panic::Location,
    pin::Pin,
    sync::{Arc, Weak},
    task::{Context, Poll, Waker},
};

use pin_project_lite::pin_project;

use crate::{
    event::What,
    poke::Ask,
    raw_waker::{self, Act, Observed},
    resource::Here,
    task::{Polling, Task},
};

/// Watches `future` under a name, for [`within`](crate::within) and [`record`](crate::record).
#[track_caller]
pub fn watch<F: Future>(name: impl Into<String>, future: F) -> Watched<Pin<Box<F>>> {
    let name = Some(name.into().into());
    watched_as(name, Location::caller(), Box::pin(future))
}

pub(crate) fn watched_as<F: Future>(name: Option<Arc<str>>, made: Here, future: F) -> Watched<F> {
    let watch = Watch {
        kept: Vec::new(),
        wakers: 0,
        ready: false,
        task: OnDrop(Task::new(name, made, false)),
    };
    Watched { future, watch }
}

/// The same, under the name of the line that calls this, such as `src/main.rs:12`.
#[track_caller]
pub fn watched<F: Future>(future: F) -> Watched<Pin<Box<F>>> {
    watched_as(None, Location::caller(), Box::pin(future))
}

pin_project! {
    /// A future that is watched: see [`watch`].
    ///
    /// The future inside is handed a waker of the probe's own, which wakes the executor's. A wake by value reaches that as one
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

/// What stands behind a waker that the future inside gets to see.
#[derive(Debug)]
pub(crate) struct OwnWaker {
    pub(crate) task: Arc<Task>,
    number: u32,
    executors: Executors,
    /// Of which poll with a fresh waker: where it is cloned is to be seen. 0: of none.
    traced: usize,
}

/// The waker that came with a poll.
#[derive(Debug)]
enum Executors {
    /// That of a watched future, which polls this one. It sees what happens to the wakers of this one.
    Watched(Arc<Observed>),
    Other(Waker),
}

impl Executors {
    fn is(&self, waker: &Waker) -> bool {
        match self {
            Self::Watched(observed) => std::ptr::eq(waker.data(), Arc::as_ptr(observed).cast()),
            Self::Other(other) => other.will_wake(waker),
        }
    }
}

impl OwnWaker {
    pub(crate) fn note(&self, act: Act, in_child: bool) {
        let waker = self.number;
        let what = match act {
            Act::Clone => What::Keep { waker },
            Act::Drop => What::Release { waker },
            Act::WakeByValue | Act::WakeByRef => What::Wake {
                waker,
                by_value: act == Act::WakeByValue,
                during: None,
            },
        };
        let is_wake = matches!(what, What::Wake { .. });
        self.task.note(what, in_child);
        match act {
            Act::Clone if self.traced > 0 && !in_child => self.task.poke.cloned(),
            Act::Drop if self.traced > 0 && !in_child => self.task.poke.dropped(self.traced),
            _ => {}
        }
        match &self.executors {
            Executors::Watched(observed) => observed.act(act, true),
            Executors::Other(waker) if is_wake => waker.wake_by_ref(),
            Executors::Other(_) => {}
        }
    }

    /// Wakes what is behind it, and counts as no wake.
    pub(crate) fn poke(&self) {
        match &self.executors {
            Executors::Watched(observed) => observed.own().into_iter().for_each(Self::poke),
            Executors::Other(waker) => waker.wake_by_ref(),
        }
    }
}

impl Watch {
    /// The waker to hand in: an earlier one if that is still kept and the executor's is the same, and this one is not `traced`.
    fn waker_for(
        &mut self,
        executors: &Waker,
        outer: Option<&Arc<Observed>>,
        traced: usize,
    ) -> (u32, Arc<Observed>) {
        self.kept.retain(|it| it.strong_count() > 0);
        let mut kept = self.kept.iter().rev().filter_map(Weak::upgrade);
        let same = kept.find(|it| it.own().is_some_and(|it| it.executors.is(executors)));
        let number = same.as_ref().and_then(|it| Some(it.own()?.number));
        let number = number.unwrap_or(self.wakers + 1);
        self.wakers = self.wakers.max(number);
        let observed = same.filter(|_| traced == 0).unwrap_or_else(|| {
            let own = OwnWaker {
                task: self.task.0.clone(),
                number,
                traced,
                executors: match outer {
                    Some(observed) => Executors::Watched(observed.clone()),
                    None => Executors::Other(executors.clone()),
                },
            };
            Arc::new(Observed::Watched(own))
        });
        (number, observed)
    }
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
            this.task.0.begins();
        }
        let (ask, traced) = this.task.0.poke.begin().unwrap_or_default();
        let outer = raw_waker::observed(cx.waker()).filter(|it| it.own().is_some());
        let (number, observed) = this.waker_for(cx.waker(), outer.as_ref(), traced);
        let task = &this.task.0;
        let given_by = outer.as_ref().and_then(|it| Some(&it.own()?.task));
        let mut polling = Polling::begin(task, number, &observed, given_by);
        let poll = raw_waker::lend(&observed, |waker| {
            inner.future.poll(&mut Context::from_waker(waker))
        });
        if Arc::strong_count(&observed) > 1 && Arc::weak_count(&observed) == 0 {
            this.kept.push(Arc::downgrade(&observed));
        }
        this.ready = poll.is_ready();
        polling.outcome = if this.ready {
            What::Ready
        } else {
            What::Pending
        };
        drop(polling);
        if ask != Ask::Nothing {
            task.poke.end(this.ready, task.facts().wakes);
        }
        if ask == Ask::WhereAndStay {
            std::mem::forget(poll);
            return Poll::Pending;
        }
        poll
    }
}
