//! A future that stands between the executor and another future, and sees all that passes.

use std::{
    panic::Location,
    pin::Pin,
    sync::{Arc, Weak},
    task::{Context, Poll, Waker},
};

use crate::{
    event::What,
    poke::Ask,
    raw_waker::{self, Act, Observe, Observed},
    scope,
    task::{Polling, Task},
};

/// Watches `future` under a name, for [`within`](crate::within) to explain and
/// [`record`](crate::record) to record.
///
/// ```
/// use std::{pin::pin, task::{Context, Waker}};
///
/// let mut future = pin!(probe::watch("seven", async { 7 }));
/// let poll = future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
/// assert!(poll.is_ready());
/// ```
#[track_caller]
pub fn watch<F: Future>(name: impl Into<String>, future: F) -> Watched<F> {
    let task = Task::new(name.into().into(), Location::caller());
    scope::show(&task);
    Watched {
        future: Box::pin(future),
        handed: Vec::new(),
        wakers: 0,
        ready: false,
        task: OnDrop(task),
    }
}

/// The same, under the name of the line that calls this, such as `src/main.rs:12`.
///
/// ```
/// # futures::executor::block_on(async {
/// assert_eq!(probe::watched(async { 7 }).await, 7);
/// # });
/// ```
#[track_caller]
pub fn watched<F: Future>(future: F) -> Watched<F> {
    let here = Location::caller();
    watch(format!("{}:{}", here.file(), here.line()), future)
}

/// A future that is watched: see [`watch`].
///
/// The future inside is handed a waker of the probe's own, which wakes the executor's. That costs
/// the executor's waker one clone for each poll at which the future keeps none; a wake by value
/// reaches it as one by reference and a drop. A poll after `Ready` is noted, not forwarded, and
/// answered with `Pending`.
#[derive(Debug)]
pub struct Watched<F> {
    future: Pin<Box<F>>,
    /// The wakers that were handed in and may still be kept.
    handed: Vec<Handed>,
    wakers: u32,
    ready: bool,
    // After the future, since fields are dropped in this order: the drop is noted once the
    // destructor has run.
    task: OnDrop,
}

#[derive(Debug)]
struct OnDrop(Arc<Task>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.note(What::Drop);
    }
}

// Weak, both: a watched future must not keep its executor's waker alive, for that may own the task,
// and with it this future.
#[derive(Debug)]
struct Handed {
    own: Weak<OwnWaker>,
    observed: Weak<Observed>,
}

/// What stands behind a waker that the future inside gets to see.
struct OwnWaker {
    task: Arc<Task>,
    number: u32,
    executors: Executors,
    /// Whether it is to be seen where it is cloned.
    is_traced: bool,
}

/// The waker that came with a poll.
enum Executors {
    /// That of a watched future, which polls this one. It sees what happens to the wakers of this one, rather than that
    /// the probe itself keeps it.
    Watched(Arc<Observed>),
    Other(Waker),
}

impl Executors {
    fn is(&self, waker: &Waker) -> bool {
        match self {
            Self::Watched(observed) => raw_waker::is_of(waker, observed),
            Self::Other(other) => other.will_wake(waker),
        }
    }
}

impl OwnWaker {
    fn note(&self, act: Act, in_child: bool) {
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
        self.task.note_of(what, in_child);
        if act == Act::Clone && self.is_traced && !in_child {
            self.task.poke.cloned();
        }
        match &self.executors {
            Executors::Watched(observed) => observed.act(act, true),
            Executors::Other(waker) if matches!(act, Act::WakeByValue | Act::WakeByRef) => {
                waker.wake_by_ref();
            }
            Executors::Other(_) => {}
        }
    }
}

impl Observe for Arc<OwnWaker> {
    fn observe(&self, act: Act, in_child: bool) {
        self.note(act, in_child);
    }

    fn task(&self) -> Option<&Arc<Task>> {
        Some(&self.task)
    }

    fn poke(&self) {
        match &self.executors {
            Executors::Watched(observed) => observed.poke(),
            Executors::Other(waker) => waker.wake_by_ref(),
        }
    }
}

impl<F> Watched<F> {
    /// The waker to hand in: the previous one if the executor brings the same again and a clone of it
    /// is still kept. One that `is_traced` is always a new one, with the same number.
    fn waker_for(&mut self, executors: &Waker, is_traced: bool) -> (u32, Arc<Observed>) {
        self.handed.retain(|handed| handed.own.strong_count() > 0);
        let mut number = None;
        for handed in &self.handed {
            if let (Some(own), Some(observed)) = (handed.own.upgrade(), handed.observed.upgrade()) {
                if own.executors.is(executors) {
                    if !is_traced {
                        return (own.number, observed);
                    }
                    number = Some(own.number);
                }
            }
        }
        let number = number.unwrap_or(self.wakers + 1);
        self.wakers = self.wakers.max(number);
        let task = self.task.0.clone();
        let own = Arc::new(OwnWaker {
            task,
            number,
            is_traced,
            executors: match raw_waker::observed(executors).filter(|it| it.task().is_some()) {
                Some(observed) => Executors::Watched(observed),
                None => Executors::Other(executors.clone()),
            },
        });
        let handed = Arc::downgrade(&own);
        let observed = Observed::new(own);
        self.handed.push(Handed {
            own: handed,
            observed: Arc::downgrade(&observed),
        });
        (number, observed)
    }
}

impl<F: Future> Future for Watched<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        if self.ready {
            self.task.0.note(What::PollAfterReady);
            return Poll::Pending;
        }
        if self.wakers == 0 {
            scope::show(&self.task.0);
        }
        let task = self.task.0.clone();
        let ask = task.poke.begin();
        let (number, observed) = self.waker_for(cx.waker(), ask != Ask::Nothing);
        let outer = raw_waker::observed(cx.waker());
        let given_by = outer.as_ref().and_then(|outer| outer.task());
        let polling = Polling::begin(&task, number, &observed, given_by);
        let poll = raw_waker::lend(&observed, |waker| {
            self.future.as_mut().poll(&mut Context::from_waker(waker))
        });
        self.ready = poll.is_ready();
        polling.end(if self.ready {
            What::Ready
        } else {
            What::Pending
        });
        if ask != Ask::Nothing {
            task.poke.end(self.ready);
        }
        if ask == Ask::WhereAndStay {
            std::mem::forget(poll);
            return Poll::Pending;
        }
        poll
    }
}
