//! Two ways to get `block_on` wrong.

use std::{
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    task::{Context, Wake, Waker},
    thread::{self, Thread},
};

use runtime_contract::BoxFuture;

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

struct Send(SyncSender<()>);

impl Wake for Send {
    fn wake(self: Arc<Self>) {
        let _ = self.0.try_send(()); // one that is full has been woken
    }
}

thread_local! {
    static PARKER: (Waker, Receiver<()>) = {
        let (wakes, parks) = sync_channel(1);
        (Waker::from(Arc::new(Send(wakes))), parks)
    };
}

/// All code on this thread shares one parker.
pub(super) fn by_shared_parker(future: BoxFuture) {
    PARKER
        .with(|(waker, parker)| poll_and(future, waker, || parker.recv().expect("it has a waker")));
}

fn poll_and(mut future: BoxFuture, waker: &Waker, park: impl Fn()) {
    let mut cx = Context::from_waker(waker);
    while future.as_mut().poll(&mut cx).is_pending() {
        park();
    }
}
