//! A task, and what waits until nothing is left of it.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    thread,
};

use futures_channel::oneshot;

use crate::{
    BoxFuture,
    fixtures::{A_MOMENT, compute},
};

/// A task that can be waited for until it is gone: finished, dropped or after a panic. The executor drops the task itself,
/// and then what shows that it is gone.
struct UntilGone {
    task: BoxFuture,
    _last: Gone,
}

/// Says so when it is dropped.
struct Gone(Option<oneshot::Sender<()>>);

impl Drop for Gone {
    fn drop(&mut self) {
        let says = self.0.take();
        if thread::panicking() {
            // An executor may end the process because a destructor has panicked. The test must not be over before that.
            thread::spawn(move || {
                compute(2 * A_MOMENT);
                drop(says);
            });
        }
    }
}

/// The task, and what waits until it is gone.
pub(super) fn until_gone(task: BoxFuture) -> (BoxFuture, oneshot::Receiver<()>) {
    let (says, gone) = oneshot::channel();
    let _last = Gone(Some(says));
    (Box::pin(UntilGone { task, _last }), gone)
}

impl Future for UntilGone {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.task.as_mut().poll(cx)
    }
}
