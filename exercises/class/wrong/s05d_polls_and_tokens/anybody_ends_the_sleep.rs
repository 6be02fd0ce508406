//! s05d · predict · 10 minutes · chapter 05, "Park, unpark and block_on"
//!
//! Four runs of the stage's own `block_on` and `Parker`. Read each, and write down what you expect: `Some(…)` in
//! place of `None`. Then run it; the run decides. Do not run first: what you learn is in the difference.
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

const POLLS_OF_A_TIMER: Option<usize> = Some(2);
const POLLS_WOKEN_THREE_TIMES: Option<usize> = Some(3);
// ANCHOR: slip
const POLLS_WITH_A_STRANGE_TOKEN: Option<usize> = Some(3);
// ANCHOR_END: slip
const PARKS_AFTER_THREE_CALLS: Option<usize> = Some(1);

/// Run 1: a timer of 20 ms.
async fn timer() {
    TimerFuture::new(Duration::from_millis(20)).await;
}

/// Run 2: wakes itself three times in its first poll. In its second, it leaves its waker with a signal, and only then
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

/// Run 3: the timer of run 1, and in each of its polls the thread is unparked.
async fn with_a_strange_token() {
    let mut timer = pin!(timer());
    poll_fn(|cx| {
        thread::current().unpark();
        timer.as_mut().poll(cx)
    })
    .await;
}

/// Run 4: three calls, and then this thread parks as often as it can.
fn call_three_times(parker: &Parker) {
    for _ in 0..3 {
        parker.unpark();
    }
}

fn main() {}
