//! The first program of *Inside async* (002): a state machine by hand, and the loop that polls it.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Waker},
};

use step03_timer_future::MyFuture;

fn main() {
    let mut future = MyFuture::Start;
    let mut cx = Context::from_waker(Waker::noop());
    for poll in 1.. {
        println!("loop...");
        let answer = Pin::new(&mut future).poll(&mut cx);
        if answer.is_ready() {
            println!("Coroutine returned: {poll} poll={answer:?}");
            break;
        }
        println!("Coroutine yielded: {poll} poll={answer:?}");
    }
}
