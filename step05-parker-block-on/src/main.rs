//! Runs a timer with both wakers, then a blocking future by `thread::park` and by our parker, then `block_on` in `block_on`.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    task::Poll,
    time::{Duration, Instant},
};

use step05_parker_block_on::{
    Polls, TimerFuture, block_on, block_on_with,
    thread_token::{GaveUp, block_on_thread, receives_in_poll},
    waker::v1_by_hand,
};

const WAIT: Duration = Duration::from_millis(100);

fn main() {
    println!(
        "Our block_on polls a future, sleeps until the future's waker is called, and polls again"
    );
    println!("1. A timer of 100 ms, with a waker made by hand of a pointer and four functions");
    run(timer(), |future| block_on_with(v1_by_hand::waker, future));

    println!("2. The same again, but std::task::Wake makes the four functions");
    run(timer(), block_on);

    println!(
        "3. In its first poll, a future is woken, then waits in recv for a helper (40 ms), and is Pending"
    );
    println!("   This block_on sleeps in thread::park, as recv does. Both take the same token");
    run(receives_in_poll(), |future| {
        block_on_thread(WAIT, future).unwrap_or_else(|GaveUp { wakes }| {
            println!(
                "   recv took it. block_on was woken (wakes: {wakes}), but would sleep forever. It gave up after 100 ms"
            );
            "no output"
        })
    });

    println!("4. The same future on our block_on, which has a token of its own");
    run(receives_in_poll(), block_on);

    println!("5. As 4, but instead of recv, the first poll calls block_on for a timer of 100 ms");
    run(blocks_in_poll(), block_on);
    println!("   Each block_on took a token of its own.");
}

async fn timer() -> &'static str {
    TimerFuture::new(WAIT).await;
    "done"
}

/// Wakes itself, runs a timer in a `block_on` of its own, and is ready at its second poll, if the wake was not lost.
fn blocks_in_poll() -> impl Future<Output = &'static str> {
    let mut inner = None;
    poll_fn(move |cx| {
        if let Some(output) = inner {
            return Poll::Ready(output);
        }
        cx.waker().wake_by_ref();
        inner = Some(block_on(timer())); // sleeps for 100 ms in the middle of this poll
        Poll::Pending
    })
}

type Boxed = Pin<Box<dyn Future<Output = &'static str>>>;

fn run(
    future: impl Future<Output = &'static str> + 'static,
    block_on: impl FnOnce(Boxed) -> &'static str,
) {
    let (polls, start) = (Polls::default(), Instant::now());
    let output = block_on(Box::pin(polls.count(future)));
    let elapsed = start.elapsed().as_millis();
    println!("      {output}");
    println!("   polls: {polls}, time: {elapsed} ms");
}
