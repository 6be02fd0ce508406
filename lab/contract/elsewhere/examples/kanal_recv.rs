//! A future that waits for a message is dropped after the message was sent. kanal 0.1.1 drops the message, as its documentation says.

use std::{
    future::Future,
    task::{Context, Waker},
};

fn main() {
    let (sender, receiver) = kanal::unbounded_async();
    let mut receives = Box::pin(receiver.recv());
    let polled = receives
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()));
    assert!(polled.is_pending());
    println!("sent: {:?}", sender.try_send(7));
    drop(receives);
    println!("received: {:?}", receiver.try_recv());
}
