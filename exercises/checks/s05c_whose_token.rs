use super::*;
use probe::{Counted, in_gap, watch, within};
use std::{
    future::poll_fn,
    sync::{
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc,
    },
    thread,
    time::Duration,
};
use step05_parker_block_on::{Signal, thread_token::receives_in_poll};

mod wait;

fn run<T>(name: &str, future: impl Future<Output = T>) -> T {
    within(Duration::from_secs(2), || block_on(watch(name, future)))
}

/// Ready when another thread has slept for a moment and fired.
async fn a_moment() {
    let signal = Arc::new(Signal::default());
    let mut firing = Some(Arc::clone(&signal));
    poll_fn(move |cx| {
        let answer = signal.poll_fired(cx);
        if let Some(firing) = firing.take() {
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(40));
                firing.fire();
            });
        }
        answer
    })
    .await;
}

/// One after the other, so that each mistake has one message. An `unpark` before the flag may lose the wake in each of them,
/// and is sure to lose it in the first, which also needs a thread without an old token.
#[test]
fn it_polls_for_a_wake_and_for_nothing_else() {
    the_thread_may_run_before_wake_has_returned();
    a_future_that_takes_the_token_is_polled_again();
    while_it_waits_it_does_not_poll();
    a_future_that_leaves_a_token_is_not_polled_for_it();
    block_on_inside_block_on_takes_no_wake();
}

fn a_future_that_takes_the_token_is_polled_again() {
    assert_eq!(
        run("receives_in_poll", receives_in_poll()),
        "the helper's answer"
    );
}

fn a_future_that_leaves_a_token_is_not_polled_for_it() {
    let waiting = Counted::new(async {
        let mut moment = pin!(a_moment());
        poll_fn(|cx| {
            thread::current().unpark();
            moment.as_mut().poll(cx)
        })
        .await;
    });
    let counts = waiting.counts();
    run("unparks_in_poll", waiting);
    let polls = counts.polls();
    assert!(
        polls == 2,
        "{polls} polls, and two of them had a reason: the start and the wake. Other code may unpark this thread \
         too, and then `block_on` must go on sleeping."
    );
}

fn while_it_waits_it_does_not_poll() {
    let waiting = Counted::new(async {
        let mut first = true;
        // Woken in its first poll, so that a flag has been `true` once.
        poll_fn(|cx| {
            if std::mem::take(&mut first) {
                cx.waker().wake_by_ref();
                Poll::Pending
            } else {
                Poll::Ready(())
            }
        })
        .await;
    });
    let counts = waiting.counts();
    run("woken in its poll", waiting);
    assert_eq!(
        counts.polls(),
        2,
        "a wake during the poll leads to one more poll"
    );

    let waiting = Counted::new(async {
        a_moment().await;
        a_moment().await;
    });
    let counts = waiting.counts();
    run("two moments", waiting);
    let polls = counts.polls();
    assert!(
        polls == 3,
        "{polls} polls, and three of them had a reason: the start, and a wake for each moment. A poll without a \
         wake finds nothing."
    );
}

fn block_on_inside_block_on_takes_no_wake() {
    let mut first = true;
    let nested = poll_fn(move |cx| {
        if std::mem::take(&mut first) {
            cx.waker().wake_by_ref();
            block_on(a_moment());
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    });
    run("block_on inside a poll", nested);
}

fn the_thread_may_run_before_wake_has_returned() {
    let ready = Arc::new(AtomicBool::new(false));
    let (tell, told) = mpsc::channel();
    let (mut tell, polled) = (Some(tell), Arc::clone(&ready));
    let future = poll_fn(move |cx| {
        let Some(tell) = tell.take() else {
            polled.store(true, SeqCst);
            return Poll::Ready(());
        };
        let _ = tell.send((wait::Sleeper::here(), cx.waker().clone()));
        Poll::Pending
    });
    let blocking = thread::spawn(|| block_on(future));
    let told = wait::returned("`block_on` does not poll its future.", move || told.recv());
    let (sleeper, waker) = told.unwrap();
    wait::until(
        "A future is pending, and `block_on` does not sleep until its waker is called: it checks in a loop, or sleeps for a \
         limited time.",
        || sleeper.waits(),
    );
    // After `unpark`, the thread has all the time that it needs to poll, or to sleep again.
    let gets_on = move || {
        wait::comes_true(|| ready.load(SeqCst) || sleeper.waits());
    };
    wait::returned(
        "The waker was called while `block_on` slept, and the call does not return. Which lock does the sleeper hold?",
        move || in_gap(0, gets_on, || waker.wake()),
    );
    wait::until(
        "A thread that is slow after `unpark` called the waker, and the future was not polled again. What did the sleeper find \
         when `unpark` had ended its sleep?",
        || blocking.is_finished(),
    );
}
