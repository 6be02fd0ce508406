//! A waker that acts.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
};

use why_pending::hostile::{Hostile, Moment, elsewhere};

/// Armed to count at this moment.
fn counts(moment: Moment) -> (Hostile, Arc<AtomicUsize>) {
    let (hostile, actions) = (Hostile::new(), Arc::new(AtomicUsize::new(0)));
    let counter = Arc::clone(&actions);
    hostile.arm(moment, move || {
        counter.fetch_add(1, SeqCst);
    });
    (hostile, actions)
}

#[test]
fn it_acts_at_its_moment_alone() {
    type Use = fn(&Hostile);
    let uses: [(Use, [usize; 3]); 3] = [
        (|it| drop(it.waker().clone()), [1, 0, 2]),
        (|it| it.waker().wake(), [0, 1, 0]),
        (|it| it.waker().wake_by_ref(), [0, 1, 1]),
    ];
    for (used, counted) in uses {
        let moments = [Moment::Clone, Moment::Wake, Moment::Drop];
        for (moment, times) in moments.into_iter().zip(counted) {
            let (hostile, actions) = counts(moment);
            used(&hostile);
            assert_eq!(actions.load(SeqCst), times, "{moment:?} of {counted:?}");
            assert_eq!((hostile.acted(), hostile.live()), (times > 0, 0));
        }
    }
}

#[test]
fn an_action_is_replaced_or_disarmed() {
    let (hostile, actions) = counts(Moment::Wake);
    let counter = Arc::clone(&actions);
    hostile.arm(Moment::Wake, move || {
        counter.fetch_add(10, SeqCst);
    });
    hostile.waker().wake();
    assert_eq!((actions.load(SeqCst), hostile.acted()), (10, true));
    hostile.disarm();
    hostile.waker().wake();
    assert_eq!((actions.load(SeqCst), hostile.wakes()), (10, 2));
}

#[test]
fn the_balance_is_right_when_it_panics() {
    for moment in [Moment::Clone, Moment::Wake, Moment::Drop] {
        let hostile = Hostile::new();
        hostile.arm(moment, || {
            // A second panic would end the process.
            if !thread::panicking() {
                panic!("this panic belongs to the test");
            }
        });
        let waker = hostile.waker();
        let used = || {
            waker.clone().wake_by_ref();
        };
        assert!(catch_unwind(AssertUnwindSafe(used)).is_err());
        hostile.disarm();
        drop(waker);
        assert_eq!(hostile.live(), 0, "{moment:?}");
    }
}

#[test]
fn it_may_use_its_own_waker_here_and_elsewhere() {
    for moment in [Moment::Clone, Moment::Wake, Moment::Drop] {
        let (hostile, depth) = (Hostile::new(), AtomicUsize::new(0));
        let own = hostile.clone();
        hostile.arm(moment, move || {
            if depth.fetch_add(1, SeqCst) == 0 {
                let uses = || drop(own.waker().clone());
                uses();
                elsewhere(uses);
            }
        });
        let waker = hostile.waker();
        waker.clone().wake_by_ref();
        drop(waker);
        assert!(hostile.acted(), "{moment:?}");
        assert_eq!((hostile.wakes(), hostile.live()), (1, 0), "{moment:?}");
        hostile.disarm();
    }
}

#[test]
fn disarmed_it_drops_an_action_that_owns_its_waker() {
    let hostile = Hostile::new();
    let waker = hostile.waker();
    hostile.arm(Moment::Wake, move || waker.wake_by_ref());
    assert_eq!(hostile.live(), 1);
    hostile.disarm();
    assert_eq!(hostile.live(), 0);
}

#[test]
fn a_panic_elsewhere_goes_on_here() {
    let panics = || elsewhere(|| panic!("this panic belongs to the test"));
    assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
}
