//! A mutex that knows who holds it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::TryLockError,
    thread,
};

use why_pending::Mutex;

static LOCK: Mutex<usize> = Mutex::new(0);

#[test]
fn it_excludes_and_may_be_static() {
    let times = if cfg!(miri) { 15 } else { 50 };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..times).for_each(|_| *LOCK.lock().unwrap() += 1));
        }
    });
    assert_eq!(*LOCK.lock().unwrap(), 4 * times);
}

#[test]
fn try_lock_does_not_wait() {
    let mutex = Mutex::new(());
    let guard = mutex.lock().unwrap();
    assert!(matches!(mutex.try_lock(), Err(TryLockError::WouldBlock)));
    drop(guard);
    assert!(mutex.try_lock().is_ok());
}

#[test]
fn a_panic_under_the_lock_poisons_it_and_frees_it() {
    let mut mutex = Mutex::new(7);
    let panics = AssertUnwindSafe(|| {
        let _guard = mutex.lock();
        resume_unwind(Box::new("on purpose"))
    });
    assert!(catch_unwind(panics).is_err());
    assert_eq!(*mutex.lock().unwrap_err().into_inner(), 7);
    assert!(matches!(mutex.try_lock(), Err(TryLockError::Poisoned(_))));
    assert!(mutex.get_mut().is_err());
}
