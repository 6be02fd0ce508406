//! A worker that is about to sleep, on the condition variable or in the driver, and another thread that wakes it.

use std::time::Duration;

use loom::{sync::Arc, thread};

use crate::{Park, Parker, parking::Parking};

/// A worker's own place and the driver.
#[derive(Default)]
struct Places {
    own: Parking,
    driver: Parker,
}

impl Places {
    fn unpark(&self) {
        if self.own.unpark() {
            self.driver.unpark();
        }
    }

    fn park_in_driver(&self) {
        self.own.park_in(|may_sleep| {
            if may_sleep {
                self.driver.park(None, &mut Vec::new());
            }
        });
    }
}

fn beside_an_unpark(park: impl Fn(&Places) + Send + Sync + 'static) {
    loom::model(move || {
        let places = Arc::new(Places::default());
        let unparks = places.clone();
        let other = thread::spawn(move || unparks.unpark());
        // A lost wake-up is a deadlock here, and loom reports it.
        park(&places);
        other.join().unwrap();
    });
}

#[test]
fn a_worker_about_to_wait_on_its_condvar_misses_no_unpark() {
    beside_an_unpark(|places| places.own.park(None));
}

#[test]
fn a_worker_about_to_sleep_in_the_driver_misses_no_unpark() {
    beside_an_unpark(Places::park_in_driver);
}

/// The token of the first sleep does not end the second one, nor is the second unpark lost, wherever the worker sleeps.
#[test]
fn a_worker_is_unparked_wherever_it_sleeps() {
    loom::model(|| {
        let places = Arc::new(Places::default());
        let (first, second) = (places.clone(), places.clone());
        let other = thread::spawn(move || first.unpark());
        places.park_in_driver();
        other.join().unwrap();
        let other = thread::spawn(move || second.unpark());
        places.own.park(None);
        other.join().unwrap();
    });
}

#[test]
fn a_worker_that_has_been_unparked_may_not_sleep_in_the_driver() {
    loom::model(|| {
        let places = Places::default();
        assert!(!places.own.unpark(), "it is not in the driver");
        places.own.park_in(|may_sleep| assert!(!may_sleep));
        // The token was used up.
        places.own.park_in(|may_sleep| {
            assert!(may_sleep);
            assert!(places.own.unpark(), "it is in the driver");
        });
        assert!(!places.own.unpark(), "it is no longer in the driver");
        places.own.park(Some(Duration::ZERO));
    });
}
