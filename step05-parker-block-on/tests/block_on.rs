//! `block_on` with both wakers: woken in every way, and disturbed in every way.

use std::{
    future::{Future, poll_fn},
    panic::{self, AssertUnwindSafe},
    pin::Pin,
    sync::{Arc, Mutex, mpsc},
    task::{Poll, Waker},
    thread,
    time::Duration,
};

use probe::{Counted, within};
use step05_parker_block_on::{
    Signal, TimerFuture, block_on, block_on_with,
    thread_token::{GaveUp, HELP, block_on_thread, receives_in_poll},
    waker::v1_by_hand,
};

const LIMIT: Duration = Duration::from_secs(20);

/// Miri takes a thousand times as long for everything, and needs fewer repetitions to find a mistake.
const fn few_under_miri(count: usize) -> usize {
    if cfg!(miri) { count / 100 } else { count }
}

type Boxed = Pin<Box<dyn Future<Output = usize>>>;

/// Runs a test with both wakers.
fn on_both(test: impl Fn(fn(Boxed) -> usize)) {
    let ways: [fn(Boxed) -> usize; 2] = [
        |future| block_on_with(v1_by_hand::waker, future),
        |future| block_on_with(Waker::from, future),
    ];
    for way in ways {
        within(LIMIT, || test(way));
    }
}

/// Pending `times` times, doing something with the waker before each; then ready with the number of polls.
fn pending(times: usize, mut act: impl FnMut(&Waker) + 'static) -> Boxed {
    let mut polls = 0;
    Box::pin(poll_fn(move |cx| {
        polls += 1;
        if polls > times {
            return Poll::Ready(polls);
        }
        act(cx.waker());
        Poll::Pending
    }))
}

#[test]
fn a_million_wakes_before_the_next_poll_make_one() {
    const MILLION: usize = few_under_miri(few_under_miri(1_000_000));
    on_both(|block_on| {
        let signal = Arc::new(Signal::default());
        let mut polls = 0;
        let future = poll_fn(move |cx| {
            polls += 1;
            match polls {
                1 => (0..MILLION).for_each(|_| cx.waker().wake_by_ref()),
                2 => {
                    let signal = Arc::clone(&signal);
                    thread::spawn(move || signal.fire());
                }
                _ => {}
            }
            signal.poll_fired(cx).map(|()| polls)
        });
        // One for the start, one for the million, one for the signal, unless that was fired by the second poll.
        assert!(block_on(Box::pin(future)) <= 3);
    });
}

#[test]
fn a_wake_after_the_end_does_nothing() {
    on_both(|block_on| {
        let (keep, kept) = mpsc::channel();
        let future = pending(1, move |waker| {
            keep.send(waker.clone()).unwrap();
            waker.wake_by_ref();
        });
        assert_eq!(block_on(future), 2);
        let waker = kept.recv().unwrap();
        waker.wake_by_ref();
        waker.wake();
        assert_eq!(block_on(pending(1, Waker::wake_by_ref)), 2);
    });
}

#[test]
fn recv_in_a_poll_takes_the_token_of_the_thread_and_not_ours() {
    within(LIMIT, || {
        let answer = "the helper's answer";
        // On a machine that stands still, the answer may be there before `recv` looks, and then `recv` takes no token.
        let on_the_thread = block_on_thread(3 * HELP, receives_in_poll());
        assert!([Err(GaveUp { wakes: 1 }), Ok(answer)].contains(&on_the_thread));

        assert_eq!(block_on(receives_in_poll()), answer);
        assert_eq!(block_on_with(v1_by_hand::waker, receives_in_poll()), answer);
    });
}

#[test]
fn the_thread_token_is_enough_for_a_future_that_does_not_park() {
    within(LIMIT, || {
        let ready_at_second = pending(1, Waker::wake_by_ref);
        assert_eq!(block_on_thread(2 * LIMIT, ready_at_second), Ok(2));
    });
}

#[test]
fn the_limit_is_for_the_whole_call_and_not_for_each_park() {
    within(LIMIT, || {
        let limit = Duration::from_millis(20);
        // No poll and no park takes as long as the limit, but fifty of them do.
        let woken_each_time = pending(50, |waker| {
            thread::sleep(Duration::from_millis(1));
            waker.wake_by_ref();
        });
        assert!(block_on_thread(limit, woken_each_time).is_err());

        // The first poll uses the limit up, so there is no time left to sleep.
        let slow = pending(1, move |_| thread::sleep(limit));
        assert!(block_on_thread(limit, slow).is_err());
    });
}

#[test]
fn an_inner_call_runs_between_the_outer_wake_and_the_outer_park() {
    on_both(|block_on| {
        let log = Arc::new(Mutex::new(Vec::new()));
        let record = {
            let log = Arc::clone(&log);
            move |event| log.lock().unwrap().push(event)
        };
        let mut outer_polls = 0;
        let outer = poll_fn(move |outer| {
            outer_polls += 1;
            if outer_polls == 2 {
                record("the outer future is ready");
                return Poll::Ready(2);
            }
            outer.waker().wake_by_ref();
            record("the outer future is woken");
            let (mut inner_polls, record_inside) = (0, record.clone());
            let inner = poll_fn(move |inner| {
                inner_polls += 1;
                if inner_polls == 2 {
                    record_inside("the inner future is ready");
                    return Poll::Ready(2);
                }
                let (waker, record) = (inner.waker().clone(), record_inside.clone());
                record_inside("the inner future is pending");
                thread::spawn(move || {
                    record("the inner future is woken");
                    waker.wake();
                });
                Poll::Pending
            });
            assert_eq!(block_on(Box::pin(inner)), 2);
            record("the outer future is pending");
            Poll::Pending
        });
        assert_eq!(block_on(Box::pin(outer)), 2);
        let expected = [
            "the outer future is woken",
            "the inner future is pending",
            "the inner future is woken",
            "the inner future is ready",
            "the outer future is pending",
            "the outer future is ready",
        ];
        assert_eq!(*log.lock().unwrap(), expected);
    });
}

#[test]
fn a_token_left_by_other_code_leads_to_no_poll() {
    on_both(|block_on| {
        let signal = Arc::new(Signal::default());
        let firing = Arc::clone(&signal);
        let mut polls = 0;
        let future = poll_fn(move |cx| {
            polls += 1;
            thread::current().unpark();
            if polls == 1 {
                let firing = Arc::clone(&firing);
                thread::spawn(move || firing.fire());
            }
            signal.poll_fired(cx).map(|()| polls)
        });
        assert!(block_on(Box::pin(future)) <= 2);
    });
}

#[test]
fn a_panic_reaches_the_caller_and_drops_the_future() {
    on_both(|block_on| {
        let future = Counted::new(async { panic!("this panic belongs to the test") });
        let counts = future.counts();
        let result = panic::catch_unwind(AssertUnwindSafe(|| block_on(Box::pin(future))));
        let message = result.expect_err("the panic was swallowed");
        assert_eq!(
            message.downcast_ref(),
            Some(&"this panic belongs to the test")
        );
        assert_eq!(counts.drops(), 1);
    });
}

#[cfg_attr(miri, ignore = "Miri keeps no CPU time")]
#[test]
fn while_nothing_is_ready_it_uses_no_cpu() {
    on_both(|block_on| {
        let before = probe::thread_cpu_time();
        let timer = Counted::new(TimerFuture::new(Duration::from_millis(50)));
        let counts = timer.counts();
        block_on(Box::pin(async {
            timer.await;
            0
        }));
        let used = probe::thread_cpu_time() - before;
        assert_eq!(counts.polls(), 2);
        assert!(
            used < Duration::from_millis(25),
            "{used:?} of CPU in 50 ms of waiting"
        );
    });
}
