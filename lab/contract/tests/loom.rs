//! Two rules that no stress test can test, each with a model that keeps it and one that does not.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p runtime-contract --test loom --target-dir target/loom`
#![cfg(loom)]

use loom::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

/// A task that ends, and a task that waits for it.
#[derive(Default)]
struct Join {
    done: AtomicBool,
    /// There is a waker.
    waits: Mutex<bool>,
    woken: AtomicBool,
}

impl Join {
    fn finish(&self) {
        self.done.store(true, Ordering::Release);
        if *self.waits.lock().unwrap() {
            self.woken.store(true, Ordering::Release);
        }
    }

    /// Whether it is ready. If not, it has left its waker.
    fn poll(&self, looks_again: bool) -> bool {
        if self.done.load(Ordering::Acquire) {
            return true;
        }
        *self.waits.lock().unwrap() = true;
        looks_again && self.done.load(Ordering::Acquire)
    }
}

/// A handle that is polled just as its task ends is ready, or it is woken. The task may end after the handle has checked it and
/// before the handle has left its waker.
fn joined_as_it_ends(looks_again: bool) {
    loom::model(move || {
        let join = Arc::new(Join::default());
        let task = join.clone();
        let task = thread::spawn(move || task.finish());
        let ready = join.poll(looks_again);
        task.join().unwrap();
        let woken = join.woken.load(Ordering::Acquire);
        assert!(ready || woken, "pending, and never woken");
    });
}

#[test]
fn a_handle_that_looks_again_misses_nothing() {
    joined_as_it_ends(true);
}

#[test]
#[should_panic(expected = "pending, and never woken")]
fn a_handle_that_looks_once_can_be_left_waiting() {
    joined_as_it_ends(false);
}

/// The poll sees what was done before the wake, even if the task was queued already. A flag that is cleared by a store rather than
/// a swap does not order the two.
///
/// The task is in the queue. While it is woken once more, the executor takes it out.
fn a_wake_brings_its_news(clear: fn(&AtomicBool)) {
    loom::model(move || {
        let news = Arc::new(AtomicUsize::new(0));
        let queued = Arc::new(AtomicBool::new(true));
        let (its_news, its_queued) = (news.clone(), queued.clone());
        let wakes = thread::spawn(move || {
            its_news.store(1, Ordering::Relaxed);
            // Whether it is queued again.
            !its_queued.swap(true, Ordering::AcqRel)
        });
        clear(&queued);
        let seen = news.load(Ordering::Relaxed);
        let again = wakes.join().unwrap();
        assert!(seen == 1 || again, "neither seen nor queued again");
    });
}

#[test]
fn a_flag_that_is_swapped_brings_the_news() {
    a_wake_brings_its_news(|queued| {
        queued.swap(false, Ordering::AcqRel);
    });
}

#[test]
#[should_panic(expected = "neither seen nor queued again")]
fn a_flag_that_is_stored_can_lose_the_news() {
    a_wake_brings_its_news(|queued| queued.store(false, Ordering::Release));
}
