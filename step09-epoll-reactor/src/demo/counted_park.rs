//! A place to sleep that counts how often it is waited in.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::Waker,
    time::Duration,
};

use step09_epoll_reactor::Park;

/// Passes every call on to another place to sleep, and counts the waits.
pub struct CountedPark<P>(P, Waits);

/// How often a place to sleep has been waited in.
#[derive(Clone, Default)]
pub struct Waits(Arc<AtomicUsize>);

impl<P: Park> CountedPark<P> {
    pub fn new(park: P) -> (CountedPark<P>, Waits) {
        let waits = Waits::default();
        (CountedPark(park, waits.clone()), waits)
    }
}

impl Waits {
    pub fn so_far(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl<P: Park> Park for CountedPark<P> {
    fn park(&self, timeout: Option<Duration>, due: &mut Vec<Waker>) {
        self.1.0.fetch_add(1, Ordering::Relaxed);
        self.0.park(timeout, due);
    }

    fn unpark(&self) {
        self.0.unpark();
    }
}
