use super::*;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

/// Parks on a thread of its own, which is left behind if it does not wake up. Returns what `park` returned.
fn park(parker: &Arc<Parker>, when: &str, if_asleep: &str) -> usize {
    let (over, is_over) = mpsc::channel();
    let parking = Arc::clone(parker);
    thread::spawn(move || {
        over.send(parking.park()).unwrap();
    });
    match is_over.recv_timeout(Duration::from_millis(1_500)) {
        Ok(unparks) => unparks,
        Err(RecvTimeoutError::Timeout) => {
            panic!("`park`, {when}: still asleep after a second and a half. {if_asleep}")
        }
        Err(RecvTimeoutError::Disconnected) => {
            panic!("`park`, {when}: it panicked, with the message above.")
        }
    }
}

/// Unparks after a moment. The flag is `true` from just before the `unpark`.
fn unpark_later(parker: &Arc<Parker>) -> Arc<AtomicBool> {
    let (parker, unparked) = (Arc::clone(parker), Arc::new(AtomicBool::new(false)));
    let flag = Arc::clone(&unparked);
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(30));
        flag.store(true, SeqCst);
        parker.unpark();
    });
    unparked
}

const LOOK_AT_UNPARK: &str = "What does `unpark` do for a thread that is asleep already?";

#[test]
fn a_sleep_lasts_until_the_unpark() {
    let parker = Arc::new(Parker::default());
    let unparked = unpark_later(&parker);
    let unparks = park(&parker, "unparked a moment later", LOOK_AT_UNPARK);
    assert!(
        unparked.load(SeqCst),
        "`park` returned before any thread had called `unpark`. What does `park` do while the count is 0?"
    );
    assert_eq!(unparks, 1, "`park` was unparked once, and says otherwise");
}

#[test]
fn an_unpark_that_comes_first_is_not_lost() {
    let parker = Arc::new(Parker::default());
    parker.unpark();
    park(
        &parker,
        "unparked before",
        "A notification is not kept if no thread is waiting for it. Where does `unpark` leave a trace?",
    );
}

#[test]
fn three_early_unparks_end_one_sleep() {
    let parker = Arc::new(Parker::default());
    for _ in 0..3 {
        parker.unpark();
    }
    let unparks = park(
        &parker,
        "unparked three times before",
        "Where does `unpark` leave a trace?",
    );
    assert_eq!(
        unparks, 3,
        "`unpark` was called three times before `park`, and `park` says otherwise"
    );
    let unparked = unpark_later(&parker);
    park(&parker, "the second time", LOOK_AT_UNPARK);
    assert!(
        unparked.load(SeqCst),
        "the second `park` returned, although the first `park` had used up all unparks. What does `park` leave in \
         the count?"
    );
}

#[test]
fn a_notification_without_a_token_ends_no_sleep() {
    let parker = Arc::new(Parker::default());
    let (notifying, unparked) = (Arc::clone(&parker), Arc::new(AtomicBool::new(false)));
    let flag = Arc::clone(&unparked);
    thread::spawn(move || {
        // As if `wait` returned without a notification, which it may do.
        for _ in 0..20 {
            thread::sleep(Duration::from_millis(2));
            notifying.changed.notify_all();
        }
        flag.store(true, SeqCst);
        notifying.unpark();
    });
    park(&parker, "notified, and unparked after that", LOOK_AT_UNPARK);
    assert!(
        unparked.load(SeqCst),
        "`changed` was notified, the count was still 0, and `park` returned. `wait` may return without a \
         notification, so `park` must check the count again."
    );
}
