//! What a channel promises to senders and to the receiver, and that neither loses a value or a slot by giving up.

use std::{
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::Arc,
    task::{Poll, Waker},
    time::Duration,
};

use probe::{
    CountingWaker, OnDrop,
    hostile::{Hostile, Moment, elsewhere},
    poll, within,
};
use step08_join_handle::channel::{SendError, Sender, channel};

const LIMIT: Duration = Duration::from_secs(10);

/// Polled once, and dropped. It could go to another thread in between.
fn now<F: Future + Send>(future: F) -> Poll<F::Output> {
    poll(&mut pin!(future), Waker::noop())
}

#[test]
fn a_full_channel_makes_its_senders_wait_in_a_queue() {
    let (sender, mut receiver) = channel(2);
    let wakers: Vec<_> = (0..3).map(|_| CountingWaker::new()).collect();
    let wakes = || wakers.iter().map(CountingWaker::wakes).collect::<Vec<_>>();
    for value in [1, 2] {
        assert_eq!(now(sender.send(value)), Poll::Ready(Ok(())));
    }
    let mut sends: Vec<_> = [3, 4, 5].map(|it| Box::pin(sender.send(it))).into();
    for (send, waker) in sends.iter_mut().zip(&wakers) {
        assert_eq!(poll(&mut send.as_mut(), &waker.waker()), Poll::Pending);
    }
    assert_eq!(now(receiver.recv()), Poll::Ready(Some(1)));
    assert_eq!(wakes(), [1, 0, 0]);
    assert_eq!(now(receiver.recv()), Poll::Ready(Some(2)));
    assert_eq!(wakes(), [1, 1, 0]);
    for send in &mut sends[..2] {
        assert_eq!(poll(&mut send.as_mut(), Waker::noop()), Poll::Ready(Ok(())));
    }
    assert_eq!(poll(&mut sends[2].as_mut(), Waker::noop()), Poll::Pending);
    assert_eq!(now(receiver.recv()), Poll::Ready(Some(3)));
    assert_eq!(now(receiver.recv()), Poll::Ready(Some(4)));
}

#[test]
fn a_channel_without_a_slot_is_refused() {
    let message = catch_unwind(|| channel::<()>(0)).unwrap_err();
    assert_eq!(
        message.downcast_ref::<&str>(),
        Some(&"a channel needs a capacity of at least 1")
    );
}

#[test]
fn after_the_last_sender_the_values_come_first_and_then_none() {
    let (sender, mut receiver) = channel(2);
    let clone = sender.clone();
    assert_eq!(now(clone.send(1)), Poll::Ready(Ok(())));
    assert_eq!(now(sender.send(2)), Poll::Ready(Ok(())));
    drop((sender, clone));
    for received in [Some(1), Some(2), None, None] {
        assert_eq!(now(receiver.recv()), Poll::Ready(received));
    }
}

#[test]
fn a_receiver_that_waits_is_woken_by_the_last_sender_to_go() {
    let (sender, mut receiver) = channel::<()>(1);
    let (clone, waker) = (sender.clone(), CountingWaker::new());
    let mut recv = pin!(receiver.recv());
    assert_eq!(poll(&mut recv.as_mut(), &waker.waker()), Poll::Pending);
    drop(sender);
    assert_eq!(waker.wakes(), 0);
    drop(clone);
    assert_eq!(waker.wakes(), 1);
    assert_eq!(poll(&mut recv, Waker::noop()), Poll::Ready(None));
}

#[test]
fn waiting_senders_get_their_values_back_when_the_receiver_goes() {
    let (sender, receiver) = channel(1);
    assert_eq!(now(sender.send(0)), Poll::Ready(Ok(())));
    let wakers: Vec<_> = (0..3).map(|_| CountingWaker::new()).collect();
    let mut sends: Vec<_> = [1, 2, 3].map(|it| Box::pin(sender.send(it))).into();
    for (send, waker) in sends.iter_mut().zip(&wakers) {
        assert_eq!(poll(&mut send.as_mut(), &waker.waker()), Poll::Pending);
    }
    drop(receiver);
    // Each by itself: none depends on another one being polled.
    for waker in &wakers {
        assert_eq!(waker.wakes(), 1);
    }
    for (send, value) in sends.iter_mut().zip([1, 2, 3]).rev() {
        let back = Poll::Ready(Err(SendError(value)));
        assert_eq!(poll(&mut send.as_mut(), Waker::noop()), back);
    }
    for value in [4, 5] {
        let back = Poll::Ready(Err(SendError(value)));
        assert_eq!(now(sender.send(value)), back);
    }
}

#[test]
fn a_sender_with_a_slot_gets_its_value_back_without_a_receiver() {
    let (sender, mut receiver) = channel(1);
    assert_eq!(now(sender.send(0)), Poll::Ready(Ok(())));
    let mut send = pin!(sender.send(1));
    assert_eq!(poll(&mut send.as_mut(), Waker::noop()), Poll::Pending);
    assert_eq!(now(receiver.recv()), Poll::Ready(Some(0)));
    drop(receiver);
    let back = Poll::Ready(Err(SendError(1)));
    assert_eq!(poll(&mut send, Waker::noop()), back);
}

#[test]
fn what_nobody_received_is_dropped_with_the_receiver() {
    let (sender, receiver) = channel(2);
    let value = Arc::new(());
    for _ in 0..2 {
        assert!(now(sender.send(Arc::clone(&value))).is_ready());
    }
    drop(receiver);
    assert_eq!(Arc::strong_count(&value), 1);
}

#[test]
fn a_send_that_is_given_up_sends_nothing_and_keeps_no_slot() {
    let (sender, mut receiver) = channel(1);
    let (value, last) = (Arc::new(1), Arc::new(2));
    let waker = CountingWaker::new();
    // Given up before its first poll, in the queue, and with a slot of its own.
    drop(sender.send(Arc::clone(&value)));
    assert!(now(sender.send(Arc::clone(&last))).is_ready());
    assert!(now(sender.send(Arc::clone(&value))).is_pending());
    let mut with_slot = Box::pin(sender.send(Arc::clone(&value)));
    let mut waits = Box::pin(sender.send(Arc::clone(&last)));
    assert!(poll(&mut with_slot.as_mut(), Waker::noop()).is_pending());
    assert!(poll(&mut waits.as_mut(), &waker.waker()).is_pending());
    assert!(now(receiver.recv()).is_ready());
    assert_eq!(waker.wakes(), 0);
    drop(with_slot);
    assert_eq!((waker.wakes(), Arc::strong_count(&value)), (1, 1));
    assert!(poll(&mut waits.as_mut(), Waker::noop()).is_ready());
    assert_eq!(now(receiver.recv()), Poll::Ready(Some(last)));
}

#[test]
fn a_recv_that_is_given_up_loses_no_value() {
    let (sender, mut receiver) = channel(1);
    for value in 0..3 {
        // Given up before its first poll, in the queue, and with a value that it was woken for.
        drop(receiver.recv());
        assert!(now(receiver.recv()).is_pending());
        let (mut recv, waker) = (Box::pin(receiver.recv()), CountingWaker::new());
        assert!(poll(&mut recv.as_mut(), &waker.waker()).is_pending());
        assert_eq!(now(sender.send(value)), Poll::Ready(Ok(())));
        assert_eq!(waker.wakes(), 1);
        drop(recv);
        assert_eq!(now(receiver.recv()), Poll::Ready(Some(value)));
    }
    drop(sender);
    drop(receiver.recv());
    assert_eq!(now(receiver.recv()), Poll::Ready(None));
}

/// A waker that sends into this channel when it is woken, from another thread, and waits for that thread.
fn sends_when_woken(sender: &Sender<Noisy>) -> Hostile {
    let (hostile, sender) = (Hostile::new(), sender.clone());
    hostile.arm(Moment::Wake, move || {
        elsewhere(|| drop(now(sender.send(Noisy(None)))));
    });
    hostile
}

/// A value that sends into a channel when it is dropped.
#[derive(Debug)]
struct Noisy(Option<Sender<Noisy>>);

impl Drop for Noisy {
    fn drop(&mut self) {
        if let Some(sender) = self.0.take() {
            elsewhere(|| drop(now(sender.send(Noisy(None)))));
        }
    }
}

#[test]
fn wakers_and_values_may_use_the_channel() {
    within(LIMIT, || {
        let (sender, mut receiver) = channel(2);
        let hostile = sends_when_woken(&sender);

        // The receiver is woken by a value, and a sender by a slot.
        let mut recv = Box::pin(receiver.recv());
        assert!(poll(&mut recv.as_mut(), &hostile.waker()).is_pending());
        assert!(now(sender.send(Noisy(None))).is_ready());
        assert_eq!(hostile.wakes(), 1);
        drop(recv);
        let mut send = Box::pin(sender.send(Noisy(None)));
        assert!(poll(&mut send.as_mut(), &hostile.waker()).is_pending());
        assert!(now(receiver.recv()).is_ready());
        assert_eq!(hostile.wakes(), 2);
        assert!(poll(&mut send.as_mut(), Waker::noop()).is_ready());

        // A sender is woken by the end of the receiver, and the values use the channel as they are dropped.
        assert!(now(receiver.recv()).is_ready());
        assert!(now(sender.send(Noisy(Some(sender.clone())))).is_ready());
        let mut send = Box::pin(sender.send(Noisy(Some(sender.clone()))));
        assert!(poll(&mut send.as_mut(), &hostile.waker()).is_pending());
        drop(receiver);
        assert_eq!(hostile.wakes(), 3);
        assert!(poll(&mut send.as_mut(), Waker::noop()).is_ready());
        hostile.disarm();
    });
}

#[test]
fn a_value_that_panics_when_dropped_leaves_no_sender_waiting() {
    let panics = OnDrop(|| panic!("this panic belongs to the test"));
    let (sender, receiver) = channel(1);
    assert!(now(sender.send(Some(panics))).is_ready());
    let mut sends = [(); 2].map(|()| (Box::pin(sender.send(None)), CountingWaker::new()));
    for (send, waker) in &mut sends {
        assert!(poll(&mut send.as_mut(), &waker.waker()).is_pending());
    }
    assert!(catch_unwind(AssertUnwindSafe(|| drop(receiver))).is_err());
    let wakes = sends.each_ref().map(|(_, waker)| waker.wakes());
    assert_eq!(wakes, [1, 1]);
    for (send, _) in &mut sends {
        let back = poll(&mut send.as_mut(), Waker::noop());
        assert!(matches!(back, Poll::Ready(Err(SendError(None)))));
    }
}
