//! Tasks that stay on one thread.

use std::{
    ops::{Deref, DerefMut},
    panic::Location,
    pin::Pin,
    task::{Context, Poll},
};

use ::tokio::task as plain;

use super::JoinHandle;
use crate::see::watch::watched_as;

/// Its tasks are watched.
#[derive(Debug, Default)]
pub struct LocalSet(plain::LocalSet);

impl LocalSet {
    pub fn new() -> Self {
        Self::default()
    }

    #[track_caller]
    pub fn spawn_local<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: 'static> + 'static,
    {
        let watched = watched_as(None, Location::caller(), future);
        let task = watched.watch.task.0.clone();
        JoinHandle::new(self.0.spawn_local(watched), task)
    }
}

/// Polls its tasks, and is ready when all of them are.
impl Future for LocalSet {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.0).poll(cx)
    }
}

impl From<LocalSet> for plain::LocalSet {
    fn from(set: LocalSet) -> Self {
        set.0
    }
}

impl Deref for LocalSet {
    type Target = plain::LocalSet;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for LocalSet {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
