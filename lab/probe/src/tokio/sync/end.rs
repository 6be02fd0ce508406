//! One end of a channel: who has it, and who waits at the other end.

use std::{
    ops::{Deref, DerefMut},
    panic::Location,
    pin::Pin,
    task::{Context, Poll},
};

use crate::{
    Hold, Resource,
    see::{facts::Has, place::Line, resource::ResourceKind},
};

/// One end of a channel, or a future with a name. Who calls anything of it has it.
#[derive(Debug)]
pub struct End<E> {
    pub(super) inner: E,
    pub(super) at: Line,
    pub(super) mine: Hold,
    pub(super) others: Resource,
    waits: Option<Hold>,
}

impl<E> End<E> {
    pub(super) fn made(inner: E, at: Line, mine: &Resource, others: &Resource) -> Self {
        End {
            inner,
            at,
            mine: mine.hold_many(1, at, Has::NotUsedYet),
            others: others.clone(),
            waits: None,
        }
    }
}

pub(super) fn ends<S, R>((sender, receiver): (S, R), at: Line) -> (End<S>, End<R>) {
    let [senders, receivers] = Resource::ends([ResourceKind::Sender, ResourceKind::Receiver], at);
    let sender = End::made(sender, at, &senders, &receivers);
    (sender, End::made(receiver, at, &receivers, &senders))
}

/// A sender that keeps no channel open, and so is none that one waits for.
#[derive(Clone, Debug)]
pub struct WeakEnd<E> {
    pub(super) inner: E,
    pub(super) mine: Resource,
    pub(super) others: Resource,
}

impl<E> Deref for WeakEnd<E> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.inner
    }
}

impl<F: Future + Unpin> Future for End<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        this.mine.move_here(this.at);
        let inner = Pin::new(&mut this.inner);
        let poll = this.others.poll(inner, &mut this.waits, (1, this.at), cx);
        if poll.is_ready() {
            this.others.note_arrival(this.at);
        }
        poll
    }
}

impl<E: Clone> Clone for End<E> {
    #[track_caller]
    fn clone(&self) -> Self {
        let inner = self.inner.clone();
        End::made(inner, Location::caller(), &self.mine.0, &self.others)
    }
}

impl<E> Deref for End<E> {
    type Target = E;

    #[track_caller]
    fn deref(&self) -> &E {
        self.mine.move_here(Location::caller());
        &self.inner
    }
}

impl<E> DerefMut for End<E> {
    #[track_caller]
    fn deref_mut(&mut self) -> &mut E {
        self.others.0.stop_counting();
        self.mine.move_here(Location::caller());
        &mut self.inner
    }
}
