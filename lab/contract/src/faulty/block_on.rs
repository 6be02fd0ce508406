//! Two ways to get `block_on` wrong.

use std::{
    sync::{Arc, Condvar, Mutex, PoisonError},
    task::{Context, Wake, Waker},
    thread::{self, Thread},
};

use crate::{BoxFuture, lock::lock};

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The wake is the token of the thread, and nothing else.
pub(super) fn by_token(future: BoxFuture) {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    poll_and(future, &waker, thread::park);
}

#[derive(Default)]
struct Parker {
    called: Mutex<bool>,
    changed: Condvar,
}

impl Parker {
    fn park(&self) {
        let mut called = lock(&self.called);
        while !*called {
            called = self
                .changed
                .wait(called)
                .unwrap_or_else(PoisonError::into_inner);
        }
        *called = false;
    }
}

impl Wake for Parker {
    fn wake(self: Arc<Self>) {
        *lock(&self.called) = true;
        self.changed.notify_one();
    }
}

thread_local! {
    static PARKER: Arc<Parker> = Arc::default();
}

/// All code on this thread shares one parker.
pub(super) fn by_shared_parker(future: BoxFuture) {
    let parker = PARKER.with(Arc::clone);
    let waker = Waker::from(parker.clone());
    poll_and(future, &waker, || parker.park());
}

fn poll_and(mut future: BoxFuture, waker: &Waker, park: impl Fn()) {
    let mut cx = Context::from_waker(waker);
    while future.as_mut().poll(&mut cx).is_pending() {
        park();
    }
}
