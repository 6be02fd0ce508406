//! An alias is only a second name. The type behind it is still the library's, and so is the trait.

use std::{
    pin::Pin,
    sync::mpsc::Receiver,
    task::{Context, Poll},
};

pub type JoinHandle<T> = Receiver<T>;

impl<T> Future for JoinHandle<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<T> {
        self.try_recv().map_or(Poll::Pending, Poll::Ready)
    }
}
