//! A notification. Who will notify is not known.

use std::{panic::Location, pin::Pin, sync::Arc};

use ::tokio::sync as plain;

use super::{end::End, shared::Shared};
use crate::{
    Resource,
    see::{facts::Has, resource::ResourceKind},
};

pub type Notify = Shared<plain::Notify>;

impl Default for Notify {
    #[track_caller]
    fn default() -> Self {
        Self::new()
    }
}

impl Notify {
    #[track_caller]
    pub fn new() -> Self {
        Self::made(plain::Notify::new(), ResourceKind::Notification, None)
    }

    #[track_caller]
    pub const fn const_new() -> Self {
        Self::fixed(plain::Notify::const_new(), ResourceKind::Notification, None)
    }

    #[track_caller]
    pub fn notified(&self) -> Notified<'_> {
        let (inner, at) = (Box::pin(self.inner.notified()), Location::caller());
        let mine = Resource::new_at(ResourceKind::Future, at);
        End::made(inner, at, &mine, &self.resource)
    }

    #[track_caller]
    pub fn notified_owned(self: Arc<Self>) -> OwnedNotified {
        let (inner, at) = (
            Box::pin(self.inner.owned().notified_owned()),
            Location::caller(),
        );
        let mine = Resource::new_at(ResourceKind::Future, at);
        End::made(inner, at, &mine, &self.resource)
    }

    #[track_caller]
    pub fn notify_one(&self) {
        self.resource.lose(1, Location::caller(), Has::NotifiedOne);
        self.inner.notify_one();
    }

    #[track_caller]
    pub fn notify_last(&self) {
        self.resource.lose(1, Location::caller(), Has::NotifiedOne);
        self.inner.notify_last();
    }

    #[track_caller]
    pub fn notify_waiters(&self) {
        self.resource.lose(1, Location::caller(), Has::Notified);
        self.inner.notify_waiters();
    }
}

type Notified<'a> = End<Pin<Box<plain::futures::Notified<'a>>>>;
type OwnedNotified = End<Pin<Box<plain::futures::OwnedNotified>>>;

impl<F> End<Pin<Box<F>>> {
    fn is_enabled(mut self: Pin<&mut Self>, enable: impl FnOnce(Pin<&mut F>) -> bool) -> bool {
        let is_over = enable(self.inner.as_mut());
        if is_over {
            self.others.note_arrival(self.at);
        }
        is_over
    }
}

impl Notified<'_> {
    pub fn enable(self: Pin<&mut Self>) -> bool {
        self.is_enabled(|notified| notified.enable())
    }
}

impl OwnedNotified {
    pub fn enable(self: Pin<&mut Self>) -> bool {
        self.is_enabled(|notified| notified.enable())
    }
}
