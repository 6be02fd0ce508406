//! Both wakers: the count of owners, through each of the four functions.

use std::{sync::Arc, task::Waker, thread, time::Duration};

use probe::within;
use step05_parker_block_on::{Parker, waker::v1_by_hand};

const LIMIT: Duration = Duration::from_secs(10);

/// Runs a test on a parker and a waker for it, for both ways to make one.
fn on_both(test: impl Fn(Arc<Parker>, Waker)) {
    let ways: [fn(Arc<Parker>) -> Waker; 2] = [v1_by_hand::waker, Waker::from];
    for waker_for in ways {
        let parker = Arc::new(Parker::default());
        let waker = waker_for(Arc::clone(&parker));
        within(LIMIT, || test(Arc::clone(&parker), waker));
        assert_eq!(
            Arc::strong_count(&parker),
            1,
            "a count was lost, or not given back"
        );
    }
}

/// Counts of the parker beyond the three that a test holds by itself: two here, and one in `on_both`.
fn wakers(parker: &Arc<Parker>) -> usize {
    Arc::strong_count(parker) - 2
}

#[test]
fn clone_adds_one_count_and_drop_gives_one_back() {
    on_both(|parker, waker| {
        assert_eq!(wakers(&parker), 1);
        let clones: Vec<_> = (0..10).map(|_| waker.clone()).collect();
        assert_eq!(wakers(&parker), 11);
        drop(waker);
        assert_eq!(wakers(&parker), 10);
        drop(clones);
        assert_eq!(wakers(&parker), 0);
    });
}

#[test]
fn wake_consumes_the_waker_and_wake_by_ref_does_not() {
    on_both(|parker, waker| {
        waker.wake_by_ref();
        waker.wake_by_ref();
        assert_eq!(wakers(&parker), 1);
        parker.park();
        waker.wake();
        assert_eq!(wakers(&parker), 0);
        parker.park();
    });
}

#[cfg_attr(
    miri,
    ignore = "in Miri, the standard library's vtable has more than one address"
)]
#[test]
fn clones_are_equal_and_others_are_not() {
    on_both(|_, waker| {
        let clone = waker.clone();
        assert!(waker.will_wake(&clone));
        let mut kept = Waker::noop().clone();
        assert!(!kept.will_wake(&waker));
        kept.clone_from(&waker);
        assert!(kept.will_wake(&waker));
    });
}

#[test]
fn woken_by_value_from_four_threads_at_once() {
    on_both(|parker, waker| {
        for _ in 0..if cfg!(miri) { 8 } else { 20 } {
            let threads = [(); 4].map(|()| {
                let waker = waker.clone();
                thread::spawn(move || waker.wake())
            });
            parker.park();
            for thread in threads {
                thread.join().unwrap();
            }
            assert_eq!(wakers(&parker), 1);
        }
    });
}

#[test]
fn a_waker_outlives_the_thread_s_handle_to_the_parker() {
    on_both(|parker, waker| {
        drop(parker);
        waker.wake_by_ref();
        thread::spawn(move || waker.wake()).join().unwrap();
    });
}
