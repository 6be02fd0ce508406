//! A waker panics as it is replaced. futures-intrusive 0.5 then takes the receiver for finished, and leaves it in the channel's list for good.

use std::{
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Weak},
    task::{Context, Wake, Waker},
};

use futures::{Future, future::FusedFuture};
use futures_intrusive::channel::shared;

struct PanicsWhenDropped;

impl Wake for PanicsWhenDropped {
    fn wake(self: Arc<Self>) {}
}

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("a waker");
    }
}

struct Second;

impl Wake for Second {
    fn wake(self: Arc<Self>) {}
}

fn main() {
    let (sender, receiver) = shared::channel::<u32>(3);
    let mut receive = Box::pin(receiver.receive());
    let mut poll = |waker: Waker| receive.as_mut().poll(&mut Context::from_waker(&waker));
    assert!(poll(Waker::from(Arc::new(PanicsWhenDropped))).is_pending());
    let second = Arc::new(Second);
    let kept: Weak<Second> = Arc::downgrade(&second);
    assert!(catch_unwind(AssertUnwindSafe(|| poll(Waker::from(second)))).is_err());
    print!("finished: {}", receive.is_terminated());
    println!(", still in the list: {}", kept.strong_count() == 1);
    if cfg!(miri) {
        drop(receive);
        sender.try_send(7).unwrap(); // looks into the memory of the receiver
    } else {
        mem::forget(receive);
    }
}
