//! Timers: never early, and woken by the sleep of the executor, on whatever thread they are.

use std::{
    sync::{Arc, Mutex},
    task::Waker,
    thread,
    time::{Duration, Instant},
};

use futures::{
    channel::oneshot,
    future::{join, select},
};
use probe::{
    Counted, CountingWaker,
    hostile::{Hostile, Moment, elsewhere},
    within,
};
use step09_epoll_reactor::{Handle, Sleep, sleep, spawn};

use super::{
    HOUR, LIMIT, MILLISECOND, panic_of, poll,
    recorded::{Parked, Unparked, calls, recorded},
    runtime, this_waker, until, yields,
};

#[test]
fn a_sleep_is_never_early_and_takes_two_polls() {
    within(LIMIT, || {
        for time in [0, 1, 2, 30].map(Duration::from_millis) {
            let (mut runtime, record) = recorded(|_, _| ());
            let start = Instant::now();
            let sleep = Counted::new(runtime.handle().sleep(time));
            let polls = sleep.counts();
            runtime.block_on(sleep);
            assert!(start.elapsed() >= time);
            assert!(polls.polls() <= 2);
            if time.is_zero() {
                assert_eq!((polls.polls(), calls(&record).len()), (1, 0));
            }
        }
    });
}

#[test]
fn a_timer_is_not_woken_because_another_is_due() {
    within(LIMIT, || {
        let mut runtime = runtime();
        let waker = CountingWaker::new();
        let mut far = runtime.handle().sleep(HOUR);
        assert!(poll(&mut far, &waker.waker()).is_pending());
        let near = runtime.handle().sleep(MILLISECOND);
        runtime.block_on(near);
        assert_eq!((waker.wakes(), waker.live()), (0, 1));
    });
}

#[test]
fn the_latest_waker_is_the_one_that_is_called_and_the_earlier_one_is_dropped() {
    within(LIMIT, || {
        let mut runtime = runtime();
        // Again, if this thread was held up for so long that the time was over.
        let (mut sleep, first, second) = loop {
            let (first, second) = (CountingWaker::new(), CountingWaker::new());
            let mut sleep = runtime.handle().sleep(5 * MILLISECOND);
            let _ = poll(&mut sleep, &first.waker());
            let _ = poll(&mut sleep, &second.waker());
            // Polled once more with the same waker, it keeps the one that it has.
            if poll(&mut sleep, &second.waker()).is_pending() {
                break (sleep, first, second);
            }
        };
        assert_eq!((first.live(), second.live()), (0, 1));
        assert_eq!(second.clones(), 1);
        runtime.block_on(until(|| second.wakes() > 0));
        assert_eq!((first.wakes(), second.wakes()), (0, 1));
        assert!(poll(&mut sleep, &first.waker()).is_ready());
        assert_eq!((first.live(), second.live()), (0, 0));
    });
}

#[test]
fn a_sleep_that_is_dropped_or_ready_leaves_no_waker() {
    within(LIMIT, || {
        let runtime = runtime();
        let waker = CountingWaker::new();
        let mut dropped = runtime.handle().sleep(HOUR);
        assert!(poll(&mut dropped, &waker.waker()).is_pending());
        assert_eq!(waker.live(), 1);
        drop(dropped);
        assert_eq!(waker.live(), 0);

        // No executor runs, so nothing but the second poll takes the waker out.
        let mut ready = runtime.handle().sleep(2 * MILLISECOND);
        let pending = poll(&mut ready, &waker.waker()).is_pending();
        thread::sleep(2 * MILLISECOND);
        assert!(poll(&mut ready, &waker.waker()).is_ready());
        assert!(pending || waker.clones() == 1);
        assert_eq!(waker.live(), 0);
    });
}

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
fn a_timer_that_another_thread_registers_shortens_the_sleep_of_the_executor() {
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
fn a_timer_that_the_executors_own_thread_registers_unparks_nothing() {
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

#[test]
fn a_timer_awaited_on_another_thread_is_woken_by_the_executor() {
    within(LIMIT, || {
        let mut runtime = runtime();
        let handle = runtime.handle();
        let (sender, receiver) = oneshot::channel();
        let other = thread::spawn(move || {
            futures::executor::block_on(handle.sleep(2 * MILLISECOND));
            sender.send(()).unwrap();
        });
        runtime.block_on(receiver).unwrap();
        other.join().unwrap();
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
fn a_waker_that_panics_takes_no_wake_from_the_timer_behind_it() {
    within(LIMIT, || {
        let mut runtime = runtime();
        let hostile = Hostile::new();
        hostile.arm(Moment::Wake, || panic!("this panic belongs to the test"));
        let _first = registered(&runtime.handle(), &hostile);
        let second = runtime.handle().sleep(2 * MILLISECOND);
        runtime.block_on(async {
            thread::sleep(3 * MILLISECOND);
            spawn(second).await.unwrap();
            until(|| hostile.acted()).await;
        });
        assert_eq!((hostile.wakes(), hostile.live()), (1, 0));
    });
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

#[test]
fn the_longest_sleep_never_ends_and_waits_for_nothing() {
    within(LIMIT, || {
        runtime().block_on(async {
            let never = sleep(Duration::MAX);
            select(never, sleep(2 * MILLISECOND)).await;
        });
    });
}

#[test]
fn a_sleep_that_began_in_one_block_on_goes_on_in_the_next() {
    within(LIMIT, || {
        let mut runtime = runtime();
        let start = Instant::now();
        let task = runtime.spawn(runtime.handle().sleep(5 * MILLISECOND));
        runtime.block_on(yields(2));
        runtime.block_on(task).unwrap();
        assert!(start.elapsed() >= 5 * MILLISECOND);
    });
}

#[test]
fn outside_of_a_runtime_there_is_no_sleep() {
    let message = "there is no runtime on this thread: call this inside `block_on`";
    assert_eq!(panic_of(|| sleep(MILLISECOND)), message);
}
