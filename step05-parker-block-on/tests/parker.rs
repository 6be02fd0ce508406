//! The parker: called before, during and after the sleep.

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
fn a_call_that_comes_first_is_kept() {
    within(LIMIT, || {
        let parker = Parker::default();
        parker.unpark();
        parker.park();
    });
}

#[test]
fn a_call_that_comes_later_ends_the_sleep() {
    within(LIMIT, || {
        let parker = Arc::new(Parker::default());
        let caller = Arc::clone(&parker);
        thread::spawn(move || caller.unpark());
        parker.park();
    });
}

#[test]
fn several_calls_count_as_one() {
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
        while returns.load(Ordering::SeqCst) == 0 {
            thread::yield_now();
        }
        // If there were a second token, this thread would need no more than a moment to take it.
        thread::sleep(Duration::from_millis(20));
        assert_eq!(returns.load(Ordering::SeqCst), 1);
        parker.unpark();
        parking.join().unwrap();
    });
}

#[test]
fn the_thread_s_own_token_is_another_one() {
    within(LIMIT, || {
        let parker = Arc::new(Parker::default());
        thread::current().unpark();
        parker.unpark();
        thread::park();
        parker.park();
    });
}
