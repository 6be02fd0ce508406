//! Runs a timer with both wakers, then the future that thread::park cannot run, then block_on in block_on.

use std::{
    future::Future,
    pin::Pin,
    time::{Duration, Instant},
};

use step05_parker_block_on::{
    Polls, TimerFuture, block_on, block_on_with,
    thread_token::{block_on_thread, parks_in_poll},
    waker::s1_by_hand,
};

const WAIT: Duration = Duration::from_millis(300);

fn main() {
    println!("1. A timer of 300 ms, with a waker by hand");
    run(timer(), |future| block_on_with(s1_by_hand::waker, future));

    println!("2. The same timer, with a waker by std::task::Wake");
    run(timer(), block_on);

    println!("3. A future that parks its thread, on thread::park");
    run(parks_in_poll(), |future| {
        let gave_up = "gave up: it was woken, and the token is gone";
        block_on_thread(WAIT, future).unwrap_or(gave_up)
    });

    println!("4. The same future, on our parker");
    run(parks_in_poll(), block_on);

    println!("5. block_on inside block_on");
    run(async { block_on(timer()) }, block_on);
}

async fn timer() -> &'static str {
    TimerFuture::new(WAIT).await;
    "done"
}

type Boxed = Pin<Box<dyn Future<Output = &'static str>>>;

fn run(
    future: impl Future<Output = &'static str> + 'static,
    block_on: impl FnOnce(Boxed) -> &'static str,
) {
    let (polls, start) = (Polls::default(), Instant::now());
    let output = block_on(Box::pin(polls.count(future)));
    println!("   {output}");
    println!(
        "   {} polls, {} ms",
        polls.get(),
        start.elapsed().as_millis()
    );
}
