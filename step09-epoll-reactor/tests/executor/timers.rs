//! Timers: never early, and woken by the sleep of the executor, on whatever thread they are.

use std::{
    sync::{Arc, Mutex},
    task::Waker,
    time::Duration,
};

use futures::{channel::oneshot, future::join};
use probe::{
    hostile::{Hostile, Moment, elsewhere},
    poll, within,
};
use step09_epoll_reactor::{Handle, Sleep, sleep};

use super::{
    HOUR, LIMIT, MILLISECOND,
    recorded::{Parked, Unparked, calls, recorded},
    runtime, this_waker, until,
};

/// Polls sleeps on another thread while the executor sleeps for the first time, and returns the calls of its driver.
fn registered_in_a_sleep(times: &'static [Duration], ends: bool) -> Vec<super::recorded::Call> {
    within(LIMIT, || {
        let kept = Arc::new(Mutex::new(Vec::<Sleep>::new()));
        let given = Arc::new(Mutex::new(None::<(Handle, Waker)>));
        let (registered, taken) = (Arc::clone(&kept), Arc::clone(&given));
        let (sender, receiver) = oneshot::channel();
        let mut sender = Some(sender);
        let (mut runtime, record) = recorded(move |sleep, _| {
            if sleep == 1 {
                let (handle, waker) = taken.lock().unwrap().take().unwrap();
                elsewhere(|| {
                    for time in times {
                        let mut sleep = handle.sleep(*time);
                        assert!(poll(&mut sleep, &waker).is_pending());
                        registered.lock().unwrap().push(sleep);
                    }
                });
            }
            if sleep == 2 || !ends {
                sender.take().unwrap().send(()).unwrap();
            }
        });
        let handle = runtime.handle();
        runtime.block_on(async {
            let mut far = handle.sleep(HOUR);
            let waker = this_waker().await;
            assert!(poll(&mut far, &waker).is_pending());
            *given.lock().unwrap() = Some((handle.clone(), waker));
            receiver.await.unwrap();
        });
        kept.lock().unwrap().clear();
        calls(&record)
    })
}

const MINUTE: Duration = Duration::from_secs(60);
const TWO_MINUTES: Duration = Duration::from_secs(120);
const TWO_HOURS: Duration = Duration::from_secs(7_200);

#[test]
fn a_timer_of_another_thread_shortens_the_sleep() {
    let calls = registered_in_a_sleep(&[MINUTE], true);
    let [Parked(Some(first)), Unparked, Parked(Some(second)), ..] = calls[..] else {
        panic!("{calls:?}");
    };
    assert!(first > MINUTE && second <= MINUTE, "{calls:?}");
}

#[test]
fn two_timers_that_shorten_one_sleep_cost_one_unpark() {
    let calls = registered_in_a_sleep(&[TWO_MINUTES, MINUTE], true);
    let [Parked(_), Unparked, Parked(Some(limit)), ..] = calls[..] else {
        panic!("{calls:?}");
    };
    assert!(limit <= MINUTE, "{calls:?}");
}

#[test]
fn a_timer_behind_the_earliest_does_not_end_a_sleep() {
    let calls = registered_in_a_sleep(&[TWO_HOURS], false);
    // The one unpark is for the wake that ends the test.
    assert!(matches!(calls[..], [Parked(_), Unparked]), "{calls:?}");
}

#[test]
fn a_timer_of_the_executors_own_thread_unparks_nothing() {
    within(LIMIT, || {
        let (mut runtime, record) = recorded(|_, _| ());
        runtime.block_on(async {
            for _ in 0..3 {
                sleep(MILLISECOND).await;
            }
            let later = sleep(2 * MILLISECOND);
            join(later, sleep(MILLISECOND)).await;
        });
        assert!(!calls(&record).contains(&Unparked));
    });
}

/// A timer of 2 ms that has this waker.
fn registered(handle: &Handle, hostile: &Hostile) -> Sleep {
    loop {
        let mut sleep = handle.sleep(2 * MILLISECOND);
        // Otherwise this thread was held up for so long that the time was over.
        if poll(&mut sleep, &hostile.waker()).is_pending() {
            return sleep;
        }
    }
}

#[test]
fn a_waker_may_use_the_timers_as_it_is_cloned_woken_or_dropped() {
    for moment in [Moment::Clone, Moment::Wake, Moment::Drop] {
        within(LIMIT, || {
            let mut runtime = runtime();
            let handle = runtime.handle();
            let hostile = Hostile::new();
            let uses = handle.clone();
            hostile.arm(moment, move || {
                elsewhere(|| {
                    let mut sleep = uses.sleep(HOUR);
                    assert!(poll(&mut sleep, Waker::noop()).is_pending());
                });
            });
            let mut replaced = handle.sleep(HOUR);
            assert!(poll(&mut replaced, &hostile.waker()).is_pending());
            assert!(poll(&mut replaced, Waker::noop()).is_pending());
            let woken = registered(&handle, &hostile);
            let mut dropped = handle.sleep(HOUR);
            assert!(poll(&mut dropped, &hostile.waker()).is_pending());
            drop(dropped);
            runtime.block_on(until(|| hostile.acted()));
            drop(woken);
            hostile.disarm();
            assert_eq!(hostile.live(), 0, "{moment:?}");
        });
    }
}
