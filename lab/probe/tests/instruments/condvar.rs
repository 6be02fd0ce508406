//! A condition variable.

use std::{sync::Arc, thread};

use why_pending::{Condvar, Mutex, in_gap, instead_of_sleep};

#[test]
fn a_sleeper_holds_no_lock_and_is_woken() {
    let shared = Arc::new((Mutex::new(0), Condvar::default()));
    let sleeper = thread::spawn({
        let shared = Arc::clone(&shared);
        move || {
            let count = shared.0.lock().unwrap();
            *shared.1.wait_while(count, |count| *count == 0).unwrap()
        }
    });
    why_pending::wait_until(|| shared.1.waits() > 0);
    *shared.0.lock().unwrap() = 7;
    shared.1.notify_all();
    assert_eq!(sleeper.join().unwrap(), 7);
}

#[test]
fn what_comes_instead_of_a_sleep_may_take_the_lock() {
    let shared = Arc::new((Mutex::new(0), Condvar::default()));
    let other = Arc::clone(&shared);
    let adds = move || *other.0.lock().unwrap() += 1;
    let waits = || {
        let count = shared.0.lock().unwrap();
        drop(shared.1.wait_while(count, |count| *count < 3).unwrap());
    };
    instead_of_sleep(adds, waits);
    assert_eq!(shared.1.waits(), 0);
}

#[test]
fn a_gap_is_where_no_lock_is_held() {
    let shared = Arc::new((Mutex::new(0), Mutex::new(0), Condvar::default()));
    for gap in 0..4 {
        let other = Arc::clone(&shared);
        let act = || {
            let outer = shared.0.lock().unwrap();
            drop(shared.1.lock());
            shared.2.notify_one();
            drop(outer);
            shared.2.notify_one();
            *shared.0.lock().unwrap()
        };
        let adds = move || *other.0.lock().unwrap() += 1;
        let (seen, gaps) = in_gap(gap, adds, act);
        assert_eq!(gaps, 3);
        let expected = [1, 2, 2, 3][gap];
        assert_eq!(seen, expected, "gap {gap}");
    }
}
