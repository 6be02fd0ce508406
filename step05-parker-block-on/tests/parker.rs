//! The parker: unparked before, during and after the sleep.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use probe::within;
use step05_parker_block_on::Parker;

const LIMIT: Duration = Duration::from_secs(10);

#[test]
fn an_unpark_that_comes_first_is_not_lost() {
    within(LIMIT, || {
        let parker = Parker::default();
        parker.unpark();
        parker.park();
    });
}

#[test]
fn an_unpark_that_comes_later_ends_the_sleep() {
    within(LIMIT, || {
        let parker = Arc::new(Parker::default());
        let unparking = Arc::clone(&parker);
        thread::spawn(move || unparking.unpark());
        parker.park();
    });
}

#[test]
fn several_unparks_count_as_one() {
    let parker = Arc::new(Parker::default());
    let returns = Arc::new(AtomicUsize::new(0));
    for _ in 0..3 {
        parker.unpark();
    }
    let parking = thread::spawn({
        let (parker, returns) = (Arc::clone(&parker), Arc::clone(&returns));
        move || {
            for _ in 0..2 {
                parker.park();
                returns.fetch_add(1, Ordering::SeqCst);
            }
        }
    });
    within(LIMIT, || {
        probe::wait_until(|| returns.load(Ordering::SeqCst) > 0);
        // If there were a second token, the parking thread would take it within a moment.
        thread::sleep(Duration::from_millis(20));
        assert_eq!(returns.load(Ordering::SeqCst), 1);
        parker.unpark();
        parking.join().unwrap();
    });
}

#[test]
fn the_token_of_the_thread_is_not_the_token_of_the_parker() {
    within(LIMIT, || {
        let parker = Arc::new(Parker::default());
        thread::current().unpark();
        parker.unpark();
        thread::park();
        parker.park();
    });
}
