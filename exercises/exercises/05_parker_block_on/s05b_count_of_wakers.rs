//! s05b · repair · 12 minutes · chapter 05, "Park, unpark and block_on"
//!
//! *Inside async* (002) makes its waker by hand, from a pointer into an `Arc`. Each waker has to own one count of that
//! `Arc`. But its `clone` adds no count and its `drop` does nothing, so each poll leaks a task (D19), and a waker that is
//! cloned often and woken by value frees the task while it is still in use (D20).
//!
//! Repair `clone` and `drop_waker`. `unsafe` is allowed here; say in a `// SAFETY:` comment why your code is sound.
//!
//! Run: `cargo test --bin s05b_count_of_wakers`, or save this file while `rustlings` runs.
//! Red: a test says how many wakers there are, and what the count of the `Arc` says.
#![allow(unsafe_code)]

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{RawWaker, RawWakerVTable, Waker},
};

/// What the waker wakes. It counts how often it was rung.
#[derive(Default)]
struct Bell {
    rung: AtomicUsize,
}

static VTABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_waker);

/// A waker that rings `bell`. It owns the count that it was given.
fn waker(bell: Arc<Bell>) -> Waker {
    let data = Arc::into_raw(bell).cast();
    // SAFETY: `data` owns one count of an `Arc<Bell>`, as all functions of the table expect, and a `Bell` may be rung
    // from any thread.
    unsafe { Waker::new(data, &VTABLE) }
}

/// The waker stays, and there is one more now.
unsafe fn clone(data: *const ()) -> RawWaker {
    // TODO: the new waker owns no count.
    RawWaker::new(data, &VTABLE)
}

/// The waker is consumed, so its count is ours, and is given back at the end.
unsafe fn wake(data: *const ()) {
    // SAFETY: `data` came from `Arc::into_raw`, and the count of this waker is ours now.
    let bell = unsafe { Arc::from_raw(data.cast::<Bell>()) };
    bell.rung.fetch_add(1, SeqCst);
}

/// The waker stays, and keeps its count.
unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: `data` came from `Arc::into_raw`, and the waker that is being called keeps the bell alive.
    let bell = unsafe { &*data.cast::<Bell>() };
    bell.rung.fetch_add(1, SeqCst);
}

/// The waker is gone.
unsafe fn drop_waker(data: *const ()) {
    // TODO: the count of this waker is not given back.
    let _ = data;
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem;

    /// Spare counts, never given back. Because of them, a missing count shows as a number instead of freed memory.
    const SPARE: usize = 100;

    fn bell_and_waker() -> (Arc<Bell>, Waker) {
        let bell = Arc::new(Bell::default());
        for _ in 0..SPARE {
            mem::forget(Arc::clone(&bell));
        }
        let waker = waker(Arc::clone(&bell));
        (bell, waker)
    }

    /// How many wakers there are, by the count of the `Arc`.
    fn counted(bell: &Arc<Bell>) -> isize {
        Arc::strong_count(bell) as isize - SPARE as isize - 1
    }

    #[test]
    fn clone_adds_one() {
        let (bell, waker) = bell_and_waker();
        let clones = [(); 10].map(|()| waker.clone());
        let seen = counted(&bell);
        assert!(
            seen == 11,
            "10 clones were made, so there are 11 wakers; the count of the Arc says {seen}. What does `clone` do to \
             that count?"
        );
        drop(clones);
    }

    #[test]
    fn drop_takes_one_away() {
        let (bell, waker) = bell_and_waker();
        let clones = [(); 10].map(|()| waker.clone());
        drop(clones);
        drop(waker);
        let seen = counted(&bell);
        assert!(
            seen == 0,
            "all wakers were dropped, so there is none; the count of the Arc says {seen}. What does `drop_waker` do to \
             that count, and what did `clone` do before?"
        );
    }

    #[test]
    fn wake_uses_one_up_and_wake_by_ref_does_not() {
        let (bell, waker) = bell_and_waker();
        let clones = [(); 4].map(|()| waker.clone());
        clones.into_iter().for_each(Waker::wake);
        waker.wake_by_ref();
        let seen = counted(&bell);
        assert!(
            seen == 1,
            "4 clones were consumed by `wake`, so 1 waker is left; the count of the Arc says {seen}."
        );
        assert_eq!(
            bell.rung.load(SeqCst),
            5,
            "the bell was not rung at each wake"
        );
    }
}
