//! A waker that counts, and that a test can wait for: the smallest executor that can test a leaf future.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Condvar, Mutex, PoisonError},
    task::{Context, Poll, Wake, Waker},
};

use crate::{lock::lock, rest};

#[derive(Debug, Default)]
pub(crate) struct WakeCounter {
    wakes: Mutex<usize>,
    woken: Condvar,
}

impl WakeCounter {
    pub(crate) fn new() -> Arc<WakeCounter> {
        Arc::default()
    }

    /// Polls with this counter as the waker.
    pub(crate) fn poll<F: Future + ?Sized>(
        self: &Arc<Self>,
        task: &mut Pin<Box<F>>,
    ) -> Poll<F::Output> {
        rest::polled();
        let waker = Waker::from(Arc::clone(self));
        task.as_mut().poll(&mut Context::from_waker(&waker))
    }

    pub(crate) fn wakes(&self) -> usize {
        *lock(&self.wakes)
    }

    /// Blocks until it has been woken more than `seen` times.
    pub(crate) fn wait(&self, seen: usize) -> usize {
        let mut wakes = lock(&self.wakes);
        while *wakes <= seen {
            wakes = self
                .woken
                .wait(wakes)
                .unwrap_or_else(PoisonError::into_inner);
        }
        *wakes
    }

    /// Polls whenever it is woken, until the task is ready. Returns how many polls that took.
    pub(crate) fn finish<F: Future + ?Sized>(self: &Arc<Self>, task: &mut Pin<Box<F>>) -> usize {
        self.output(task).1
    }

    /// The same, with what the task returns.
    pub(crate) fn output<F: Future + ?Sized>(
        self: &Arc<Self>,
        task: &mut Pin<Box<F>>,
    ) -> (F::Output, usize) {
        let mut polls = 1;
        loop {
            let seen = self.wakes();
            match self.poll(task) {
                Poll::Ready(output) => return (output, polls),
                Poll::Pending => self.wait(seen),
            };
            polls += 1;
        }
    }

    /// How many wakers of it are kept.
    pub(crate) fn kept(self: &Arc<Self>) -> usize {
        Arc::strong_count(self) - 1
    }
}

impl Wake for WakeCounter {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        rest::woken();
        *lock(&self.wakes) += 1;
        self.woken.notify_all();
    }
}
