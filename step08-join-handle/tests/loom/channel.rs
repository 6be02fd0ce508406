//! One end of a channel goes while the other one is in use.

use std::{
    future::Future,
    pin::pin,
    task::{Context, Poll, Wake, Waker},
};

use loom::{future::block_on, sync::Arc, thread};
use step08_join_handle::channel::{SendError, Sender, channel};

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
fn the_last_value_is_received_before_the_end() {
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

/// Uses the channel when it is woken.
struct Uses(Sender<u8>);

impl Wake for Uses {
    fn wake(self: std::sync::Arc<Self>) {
        let _ = format!("{:?}", self.0);
    }
}

#[test]
fn a_slot_given_back_without_a_receiver_wakes_without_the_lock() {
    loom::model(|| {
        let (sender, mut receiver) = channel(1);
        let noop = &mut Context::from_waker(Waker::noop());
        let mut sends = [1, 2, 3].map(|value| Box::pin(sender.send(value)));
        let [first, second, third] = sends.each_mut().map(|send| send.as_mut());
        assert_eq!(first.poll(noop), Poll::Ready(Ok(())));
        assert!(second.poll(noop).is_pending());
        let uses = Waker::from(std::sync::Arc::new(Uses(sender.clone())));
        assert!(third.poll(&mut Context::from_waker(&uses)).is_pending());
        // The slot is handed to the second sender.
        assert_eq!(pin!(receiver.recv()).poll(noop), Poll::Ready(Some(1)));
        let goes = thread::spawn(move || drop(receiver));
        // If the receiver has gone in this moment, the second sender hands its slot to the third.
        let _ = sends[1].as_mut().poll(noop);
        goes.join().unwrap();
    });
}
