//! s05d · predict · 10 minutes · chapter 05, "Park, unpark and block_on"
//!
//! Four runs of the stage's own `block_on` and `Parker`. Read each, and write down what you expect, `Some(…)` in place of
//! `None`. Then run it, and the run decides. Don't run it first: you learn from the difference between the two.
//!
//! Run: `cargo test --bin s05d_polls_and_tokens`, or save this file while `rustlings` runs.
//! Red: a test says which prediction is wrong and how to find out why. It does not say the number.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::Arc,
    task::Poll,
    thread,
    time::Duration,
};
use step05_parker_block_on::{Parker, Signal, TimerFuture};

/// Run 1: how often is the timer polled?
// One at the start, one after the wake by its thread.
const POLLS_OF_A_TIMER: Option<usize> = Some(2);
/// Run 2: how often is the future polled?
// One at the start, one for the three wakes together, one for the signal.
const POLLS_WOKEN_THREE_TIMES: Option<usize> = Some(3);
/// Run 3: how often is the future polled?
// As in run 1: `block_on` sleeps by a parker of its own, which has nothing to do with the thread's token.
const POLLS_WITH_A_STRAY_TOKEN: Option<usize> = Some(2);
/// Run 4: how many calls of `park` return, if nobody calls `unpark` again?
// The flag is `true` after the first unpark, and stays so at the others.
const PARKS_AFTER_THREE_UNPARKS: Option<usize> = Some(1);

/// Run 1: a timer of 20 ms.
async fn timer() {
    TimerFuture::new(Duration::from_millis(20)).await;
}

/// Run 2: wakes itself three times in its first poll. In its second poll it leaves its waker with a signal, and only then
/// starts a thread that fires the signal. It is ready once the signal is fired.
fn woken_three_times() -> impl Future<Output = ()> {
    let signal = Arc::new(Signal::default());
    let mut poll = 0;
    poll_fn(move |cx| {
        poll += 1;
        if poll == 1 {
            for _ in 0..3 {
                cx.waker().wake_by_ref();
            }
            return Poll::Pending;
        }
        let answer = signal.poll_fired(cx);
        if poll == 2 {
            let signal = Arc::clone(&signal);
            thread::spawn(move || signal.fire());
        }
        answer
    })
}

/// Run 3: the timer of run 1. In each of its polls, `Thread::unpark` is called for the thread that polls.
async fn with_a_stray_token() {
    let mut timer = pin!(timer());
    poll_fn(|cx| {
        thread::current().unpark();
        timer.as_mut().poll(cx)
    })
    .await;
}

/// Run 4: three unparks, and then a thread parks in a loop.
fn unpark_three_times(parker: &Parker) {
    for _ in 0..3 {
        parker.unpark();
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s05d_polls_and_tokens.rs"]
mod tests;
