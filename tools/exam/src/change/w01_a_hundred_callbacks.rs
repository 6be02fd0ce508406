//! A hundred futures in one run loop: a `wake` without data, and a waker for each of them.

use std::{cell::Cell, rc::Rc};

use futures::{StreamExt, channel::oneshot, stream::FuturesUnordered};
use probe::{Counted, CountingWaker};
use step01_simple_future::{Poll, RunLoop, SimpleFuture};

// ANCHOR: program
#[derive(Default)]
struct Inbox {
    message: Cell<Option<&'static str>>,
    callback: Cell<Option<fn()>>,
}

/// Ready once there is a message.
struct Receive(Rc<Inbox>);

impl SimpleFuture for Receive {
    type Output = &'static str;

    fn poll(&mut self, wake: fn()) -> Poll<&'static str> {
        if let Some(message) = self.0.message.take() {
            return Poll::Ready(message);
        }
        self.0.callback.set(Some(wake));
        Poll::Pending
    }
}

fn program() -> [usize; 2] {
    let inboxes: Vec<Rc<Inbox>> = (0..100).map(|_| Rc::default()).collect();
    let mut run_loop = RunLoop::new(inboxes.iter().map(|it| Receive(Rc::clone(it))));
    run_loop.poll_all();
    let before = run_loop.polls();
    inboxes[42].message.set(Some("howdy!"));
    inboxes[42].callback.take().unwrap()();
    run_loop.sleep();
    run_loop.poll_all();
    [before, run_loop.polls()]
}
// ANCHOR_END: program

fn changed() -> [usize; 2] {
    let (mut senders, mut counts) = (Vec::new(), Vec::new());
    let mut receivers = FuturesUnordered::new();
    for _ in 0..100 {
        let (sender, receiver) = oneshot::channel();
        let receiver = Counted::new(receiver);
        counts.push(receiver.counts());
        senders.push(sender);
        receivers.push(receiver);
    }
    let polls = || counts.iter().map(|it| it.polls()).sum();
    let waker = CountingWaker::new();
    // It polls a future only if the future's own waker has been called since.
    assert!(probe::poll(&mut receivers.next(), &waker.waker()).is_pending());
    let before = polls();
    senders.swap_remove(42).send("howdy!").unwrap();
    assert!(probe::poll(&mut receivers.next(), &waker.waker()).is_ready());
    [before, polls()]
}

#[test]
fn a_waker_for_each_future_saves_99_of_100_polls() {
    assert_eq!((program(), changed()), ([100, 200], [100, 101]));
}
