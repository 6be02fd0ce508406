//! A waker that counts, and that a test can wait for: the smallest executor that can test a leaf future.

use std::{
    sync::{Arc, Condvar, Mutex, PoisonError},
    task::{Context, Poll, Wake, Waker},
};

use crate::Task;

#[derive(Debug, Default)]
pub(crate) struct Bell {
    rings: Mutex<usize>,
    rung: Condvar,
}

impl Bell {
    pub(crate) fn new() -> Arc<Bell> {
        Arc::default()
    }

    /// Polls with this bell as the waker.
    pub(crate) fn poll(self: &Arc<Self>, task: &mut Task) -> Poll<()> {
        let waker = Waker::from(Arc::clone(self));
        task.as_mut().poll(&mut Context::from_waker(&waker))
    }

    pub(crate) fn rings(&self) -> usize {
        *self.rings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Blocks until it has been rung more than `seen` times.
    pub(crate) fn wait(&self, seen: usize) -> usize {
        let mut rings = self.rings.lock().unwrap_or_else(PoisonError::into_inner);
        while *rings <= seen {
            rings = self
                .rung
                .wait(rings)
                .unwrap_or_else(PoisonError::into_inner);
        }
        *rings
    }

    /// Polls whenever it is rung, until the task is ready. Returns how many polls that took.
    pub(crate) fn finish(self: &Arc<Self>, task: &mut Task) -> usize {
        let mut polls = 1;
        let mut seen = self.rings();
        while self.poll(task).is_pending() {
            seen = self.wait(seen);
            polls += 1;
        }
        polls
    }

    /// How many wakers of it somebody keeps.
    pub(crate) fn kept(self: &Arc<Self>) -> usize {
        Arc::strong_count(self) - 1
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        *self.rings.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.rung.notify_all();
    }
}
