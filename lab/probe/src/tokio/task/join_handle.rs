//! The handle of a task, which tells the task who waits for its end.

use std::{
    ops::{Deref, DerefMut},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use ::tokio::task as plain;

use crate::see::{
    facts::{Has, Use},
    lock::own,
    place::Line,
    task::Task,
};

#[derive(Debug)]
pub struct JoinHandle<T> {
    inner: plain::JoinHandle<T>,
    joins: Joins,
}

/// What a handle tells the task of who waits for its end.
#[derive(Debug)]
struct Joins {
    /// `None`: it is not watched.
    task: Option<Arc<Task>>,
    /// Whether the task knows who does. Most handles take no lock for that.
    is_awaited: bool,
}

impl Joins {
    fn awaited_by(&mut self, joiner: impl FnOnce(Line) -> Option<Use>) {
        let Some(task) = &self.task else {
            return;
        };
        let joiner = joiner(task.made);
        if self.is_awaited || joiner.is_some() {
            self.is_awaited = joiner.is_some();
            *own(&task.joiner) = joiner;
        }
    }
}

impl Drop for Joins {
    fn drop(&mut self) {
        self.awaited_by(|_| None);
    }
}

impl<T> JoinHandle<T> {
    pub(super) fn new(inner: plain::JoinHandle<T>, task: Arc<Task>) -> Self {
        let joins = Joins {
            task: Some(task),
            is_awaited: false,
        };
        Self { inner, joins }
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, plain::JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let poll = Pin::new(&mut self.inner).poll(cx);
        let joiner = |made| Use::here(made, Has::wait(cx), 1);
        let is_pending = poll.is_pending();
        self.joins
            .awaited_by(|made| is_pending.then(|| joiner(made)));
        poll
    }
}

/// Of a task that is not watched, as [`Handle::spawn`](::tokio::runtime::Handle::spawn) makes it.
impl<T> From<plain::JoinHandle<T>> for JoinHandle<T> {
    fn from(inner: plain::JoinHandle<T>) -> Self {
        let joins = Joins {
            task: None,
            is_awaited: false,
        };
        Self { inner, joins }
    }
}

impl<T> From<JoinHandle<T>> for plain::JoinHandle<T> {
    fn from(handle: JoinHandle<T>) -> Self {
        handle.inner
    }
}

impl<T> Deref for JoinHandle<T> {
    type Target = plain::JoinHandle<T>;

    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

impl<T> DerefMut for JoinHandle<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.inner
    }
}
