//! `std::task::Wake` and `ArcWake` of the `futures` crate make the same waker out of an `Arc`.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Wake, Waker},
};

use futures::task::{self, ArcWake};

#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        Wake::wake_by_ref(&self);
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl ArcWake for Wakes {
    fn wake_by_ref(wakes: &Arc<Self>) {
        wakes.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn both_count_wakes_and_owners_alike() {
    for make in [Waker::from as fn(Arc<Wakes>) -> Waker, task::waker] {
        let wakes = Arc::<Wakes>::default();
        let counts = || (wakes.0.load(Ordering::Relaxed), Arc::strong_count(&wakes));
        let waker = make(Arc::clone(&wakes));
        assert_eq!(counts(), (0, 2), "the waker owns the `Arc`");
        waker.wake_by_ref();
        assert_eq!(counts(), (1, 2), "by reference it is kept");
        let clone = waker.clone();
        assert!(clone.will_wake(&waker));
        assert_eq!(counts(), (1, 3), "a clone is an owner too");
        waker.wake();
        assert_eq!(counts(), (2, 2), "by value it is used up");
        drop(clone);
        assert_eq!(counts(), (2, 1));
    }
}
