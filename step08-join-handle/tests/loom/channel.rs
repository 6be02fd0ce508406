//! One end of a channel goes while the other one is in use.

use std::{
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};

use loom::{future::block_on, sync::Arc, thread};
use step08_join_handle::channel::{SendError, channel};

#[test]
fn a_sender_that_waits_as_the_receiver_goes_gets_its_value_back() {
    loom::model(|| {
        let (sender, receiver) = channel(1);
        assert_eq!(block_on(sender.send(1)), Ok(()));
        let goes = thread::spawn(move || drop(receiver));
        // The channel is full, so only the end of the receiver can wake this sender.
        assert_eq!(block_on(sender.send(2)), Err(SendError(2)));
        goes.join().unwrap();
    });
}

#[test]
fn a_value_sent_as_the_receiver_goes_comes_back_or_is_dropped() {
    loom::model(|| {
        let (sender, receiver) = channel(1);
        let value = Arc::new(());
        let goes = thread::spawn(move || drop(receiver));
        drop(block_on(sender.send(value.clone())));
        goes.join().unwrap();
        assert_eq!(Arc::strong_count(&value), 1);
    });
}

#[test]
fn a_value_sent_just_before_the_last_sender_goes_is_received_and_then_the_end() {
    loom::model(|| {
        let (sender, mut receiver) = channel(1);
        let sends = thread::spawn(move || {
            let sent = pin!(sender.send(1)).poll(&mut Context::from_waker(Waker::noop()));
            assert_eq!(sent, Poll::Ready(Ok(())));
        });
        assert_eq!(block_on(receiver.recv()), Some(1));
        assert_eq!(block_on(receiver.recv()), None);
        sends.join().unwrap();
    });
}
