//! Pin::new is for futures that may be moved. What an async fn returns may not.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

async fn nap() {}

pub fn poll_and_move(cx: &mut Context<'_>) -> Poll<()> {
    let mut nap = nap();
    let polled = Pin::new(&mut nap).poll(cx);
    let _moved = Box::new(nap);
    polled
}
