//! Two futures wait for one permit, and one of them may give up at the moment at which it is handed over.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use loom::{
    future::block_on,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};
use step08_join_handle::semaphore::{Acquire, Permit, Semaphore};

fn poll(acquire: &mut Acquire) -> Poll<Permit> {
    Pin::new(acquire).poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_permit_handed_to_a_future_that_gives_up_goes_to_the_next() {
    loom::model(|| {
        let semaphore = Semaphore::new(1);
        let held = poll(&mut semaphore.acquire());
        // First in the line, so the permit is handed to this future if it is still there.
        let mut first = semaphore.acquire();
        assert!(poll(&mut first).is_pending());
        let gives_up = thread::spawn(move || drop(first));
        let gives_back = thread::spawn(move || drop(held));
        // A permit that is lost is a deadlock here, and loom reports it.
        drop(block_on(semaphore.acquire()));
        gives_up.join().unwrap();
        gives_back.join().unwrap();
        assert_eq!(semaphore.available(), 1);
    });
}

#[test]
fn one_permit_has_one_holder_which_sees_what_the_last_one_did() {
    loom::model(|| {
        let semaphore = Semaphore::new(1);
        let done = Arc::new(AtomicUsize::new(0));
        let holds_it = |semaphore: Semaphore, done: Arc<AtomicUsize>| {
            let permit = block_on(semaphore.acquire());
            // In two steps and relaxed: it is the permit that must keep them together and make them visible.
            done.store(done.load(Relaxed) + 1, Relaxed);
            drop(permit);
        };
        let other = {
            let (semaphore, done) = (semaphore.clone(), done.clone());
            thread::spawn(move || holds_it(semaphore, done))
        };
        holds_it(semaphore.clone(), done.clone());
        other.join().unwrap();
        assert_eq!((done.load(Relaxed), semaphore.available()), (2, 1));
    });
}
