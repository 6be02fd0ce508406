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

const WAIT: Duration = Duration::from_millis(300);

fn main() {
    println!("1. block_on with a waker by hand, and a timer of 300 ms");
    run(timer(), |future| block_on_with(v1_by_hand::waker, future));

    println!("2. block_on with a waker by std::task::Wake, and the same timer");
    run(timer(), block_on);

    println!("3. block_on by thread::park, and a future that is woken and calls recv in one poll");
    run(receives_in_poll(), |future| {
        block_on_thread(WAIT, future).unwrap_or_else(|GaveUp { wakes }| {
            println!("   still asleep after 300 ms, wakes so far: {wakes}");
            println!("   The wake left the thread's token, and recv took it, because it sleeps by it too.");
            "gave up"
        })
    });

    println!("4. Our block_on, whose token no other code can take, and the same future");
    run(receives_in_poll(), block_on);

    println!("5. Our block_on, and a future that is woken and calls our block_on in one poll");
    run(blocks_in_poll(), block_on);
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
        inner = Some(block_on(timer())); // sleeps for 300 ms in the middle of this poll
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
