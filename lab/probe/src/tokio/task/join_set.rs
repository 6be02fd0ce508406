//! A set of tasks: who joins one of them waits for those that have not ended.

use std::{
    ops::{Deref, DerefMut},
    panic::Location,
};

use ::tokio::{runtime::Handle, task as plain};

use super::closure;
use crate::{
    Resource,
    see::{facts::Use, place::Line, resource::ResourceKind, task, watch::watched_as},
};

/// Its tasks are watched.
#[derive(Debug)]
pub struct JoinSet<T> {
    inner: plain::JoinSet<T>,
    tasks: Resource,
}

impl<T> Default for JoinSet<T> {
    fn default() -> Self {
        let inner = plain::JoinSet::new();
        let tasks = Resource::new_at(ResourceKind::Tasks, Location::caller());
        Self { inner, tasks }
    }
}

impl<T> JoinSet<T> {
    pub fn new() -> Self {
        Self::default()
    }

    /// The future is watched, and one of this set until it ends.
    fn watched<F: Future<Output = T>>(
        &self,
        it: F,
        at: Line,
    ) -> impl Future<Output = T> + use<T, F> {
        let watched = watched_as(None, at, it);
        let runs = self.tasks.held_by(Use::of(&watched.watch.task.0));
        async move {
            let _runs = runs;
            watched.await
        }
    }

    fn watched_closure<F: FnOnce() -> T>(&self, f: F, at: Line) -> impl FnOnce() -> T + use<T, F> {
        let closure = closure::<F, T>(at);
        let runs = self.tasks.held_by(Use::of(&closure.0));
        move || {
            let _runs = runs;
            task::run(&closure.0, f)
        }
    }
}

impl<T: 'static> JoinSet<T> {
    #[track_caller]
    pub fn spawn(&mut self, it: impl Future<Output = T> + Send + 'static) -> plain::AbortHandle
    where
        T: Send,
    {
        let watched = self.watched(it, Location::caller());
        self.inner.spawn(watched)
    }

    #[track_caller]
    pub fn spawn_on(
        &mut self,
        it: impl Future<Output = T> + Send + 'static,
        handle: &Handle,
    ) -> plain::AbortHandle
    where
        T: Send,
    {
        let watched = self.watched(it, Location::caller());
        self.inner.spawn_on(watched, handle)
    }

    #[track_caller]
    pub fn spawn_local(&mut self, it: impl Future<Output = T> + 'static) -> plain::AbortHandle {
        let watched = self.watched(it, Location::caller());
        self.inner.spawn_local(watched)
    }

    #[track_caller]
    pub fn spawn_local_on(
        &mut self,
        it: impl Future<Output = T> + 'static,
        local_set: &plain::LocalSet,
    ) -> plain::AbortHandle {
        let watched = self.watched(it, Location::caller());
        self.inner.spawn_local_on(watched, local_set)
    }

    #[track_caller]
    pub fn spawn_blocking(&mut self, f: impl FnOnce() -> T + Send + 'static) -> plain::AbortHandle
    where
        T: Send,
    {
        let watched = self.watched_closure(f, Location::caller());
        self.inner.spawn_blocking(watched)
    }

    #[track_caller]
    pub fn spawn_blocking_on(
        &mut self,
        f: impl FnOnce() -> T + Send + 'static,
        handle: &Handle,
    ) -> plain::AbortHandle
    where
        T: Send,
    {
        let watched = self.watched_closure(f, Location::caller());
        self.inner.spawn_blocking_on(watched, handle)
    }

    #[track_caller]
    pub fn join_next(&mut self) -> impl Future<Output = Option<Result<T, plain::JoinError>>> {
        self.tasks.uses().total = Some(self.inner.len());
        let next = self.inner.join_next();
        self.tasks.wait_many(1, next, Location::caller())
    }

    #[track_caller]
    pub fn join_next_with_id(
        &mut self,
    ) -> impl Future<Output = Option<Result<(plain::Id, T), plain::JoinError>>> {
        self.tasks.uses().total = Some(self.inner.len());
        let next = self.inner.join_next_with_id();
        self.tasks.wait_many(1, next, Location::caller())
    }

    #[track_caller]
    pub fn shutdown(&mut self) -> impl Future<Output = ()> {
        let (number, at) = (self.inner.len(), Location::caller());
        self.tasks.uses().total = Some(number);
        self.tasks.wait_many(number, self.inner.shutdown(), at)
    }

    #[track_caller]
    pub fn join_all(self) -> impl Future<Output = Vec<T>> {
        let (number, at) = (self.inner.len(), Location::caller());
        self.tasks.uses().total = Some(number);
        async move {
            let all = self.inner.join_all();
            self.tasks.wait_many(number, all, at).await
        }
    }
}

impl<T: Send + 'static, F: Future<Output = T> + Send + 'static> FromIterator<F> for JoinSet<T> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = F>>(iter: I) -> Self {
        let mut set = Self::new();
        for future in iter {
            set.spawn(future);
        }
        set
    }
}

impl<T> Deref for JoinSet<T> {
    type Target = plain::JoinSet<T>;

    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

impl<T> DerefMut for JoinSet<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.inner
    }
}
