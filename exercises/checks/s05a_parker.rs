use super::*;
use probe::{in_gap, instead_of_sleep, within};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc,
    },
    thread,
    time::Duration,
};

mod wait;

/// Parks on a thread of its own. Returns what `park` returned.
fn park(parker: &Arc<Parker>, when: &str, if_asleep: &str) -> usize {
    let sentence = format!("`park`, {when}: still asleep after a second and a half. {if_asleep}");
    let parking = Arc::clone(parker);
    wait::returned(sentence, move || parking.park())
}

/// Unparks when `park` sleeps, or after a while if it doesn't. The flag is `true` from just before the `unpark`.
fn unpark_later(parker: &Arc<Parker>) -> Arc<AtomicBool> {
    let (parker, unparked) = (Arc::clone(parker), Arc::new(AtomicBool::new(false)));
    let (flag, waits) = (Arc::clone(&unparked), parker.changed.waits());
    thread::spawn(move || {
        for _ in 0..100 {
            if parker.changed.waits() > waits {
                break;
            }
            thread::sleep(Duration::from_millis(3));
        }
        flag.store(true, SeqCst);
        parker.unpark();
    });
    unparked
}

/// One after the other, so that each mistake has one message: what is certain to fail comes before what may fail as well.
#[test]
fn no_unpark_is_lost_and_one_sleep_uses_up_all() {
    within(Duration::from_secs(10), || {
        an_unpark_that_comes_first_is_not_lost();
        a_sleeper_finds_the_count_when_it_is_notified();
        an_unpark_may_come_between_two_locks_of_park();
        a_sleep_lasts_until_the_unpark();
        three_early_unparks_end_one_sleep();
        a_wait_may_return_without_a_notification();
        each_parker_has_its_own_count();
    });
}

fn each_parker_has_its_own_count() {
    let parker = Arc::new(Parker::default());
    let unparking = Arc::clone(&parker);
    wait::for_the_lock(parker.unparks.lock().unwrap(), move || unparking.unpark());
    park(
        &parker,
        "unparked while another thread held the lock",
        LOOK_AT_UNPARK,
    );
    let [first, second] = [(); 2].map(|()| Arc::new(Parker::default()));
    let parkers = [&first, &first, &second];
    parkers.iter().for_each(|parker| parker.unpark());
    let unparks = [&second, &first].map(|it| park(it, "unparked before", LOOK_AT_UNPARK));
    assert_eq!(
        unparks,
        [1, 2],
        "one parker was unparked once, another one twice, and each `park` should return its own number"
    );
}

const LOOK_AT_UNPARK: &str = "What does `unpark` do for a thread that is asleep already?";

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

fn an_unpark_that_comes_first_is_not_lost() {
    let parker = Arc::new(Parker::default());
    parker.unpark();
    park(
        &parker,
        "unparked before",
        "A notification is not kept if no thread is waiting for it. Where does `unpark` leave a trace?",
    );
}

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

fn a_wait_may_return_without_a_notification() {
    let parker = Arc::new(Parker::default());
    let (unparking, mut returns) = (Arc::clone(&parker), 0);
    let returns_early = move || {
        returns += 1;
        if returns == 3 {
            unparking.unpark();
        }
    };
    let parking = Arc::clone(&parker);
    let unparks = wait::returned(
        "`park` found the count at 0, and it is not over after a second and a half. The unpark comes when `park` calls `wait` \
         for the third time. Where else does it sleep, or for how long at most?",
        move || instead_of_sleep(returns_early, || parking.park()),
    );
    assert!(
        unparks != 0,
        "`wait` returned without a notification, as it may, and then `park` returned 0. The count was still 0, so \
         `park` must check it again."
    );
}

/// Parks on a thread of its own, which is unparked in its gap with this number, or else when it sleeps.
fn an_unpark_may_come_between_two_locks_of_park() {
    // The last one is for a `park` that never sleeps.
    for gap in [0, 1, 2, usize::MAX] {
        let parker = Arc::new(Parker::default());
        let unparked = Arc::new(AtomicBool::new(false));
        let (parking, unparking, flag) = (parker.clone(), parker.clone(), unparked.clone());
        let unpark = move || {
            flag.store(true, SeqCst);
            unparking.unpark();
        };
        let parking = thread::spawn(move || in_gap(gap, unpark, || parking.park()));
        wait::until(
            "`park` does not sleep in `changed`, or keeps the lock while it waits. Which method of `changed` does both, releases \
             the lock and sleeps?",
            || {
                parking.is_finished()
                    || parker.changed.waits() > 0 && parker.unparks.try_lock().is_ok()
            },
        );
        if !unparked.load(SeqCst) {
            parker.unpark();
        }
        wait::until(
            "`park` found the count at 0, released the lock, was unparked, and then fell asleep. It sleeps forever: \
             the notification came before the sleep.\nCheck the count and call `wait` with the same guard, because \
             only `wait` releases the lock and falls asleep at once.",
            || parking.is_finished(),
        );
    }
}

fn a_sleeper_finds_the_count_when_it_is_notified() {
    for gap in 0..3 {
        let parker = Arc::new(Parker::default());
        let looking = Arc::clone(&parker);
        let ((), _) = in_gap(
            gap,
            move || {
                assert!(
                    *looking.unparks.lock().unwrap() > 0,
                    "`unpark` has notified, or released the lock, and the count is still 0. A sleeper that wakes up now finds 0 and \
             sleeps again, and no other notification follows.\nWhat has to come first, the count or the notification?"
                )
            },
            || parker.unpark(),
        );
    }
}
