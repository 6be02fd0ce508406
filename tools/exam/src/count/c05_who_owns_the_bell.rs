//! What a waker made of an `Arc` does to the count of its `Arc`.

use std::{
    mem,
    sync::Arc,
    task::{Wake, Waker},
};

// ANCHOR: program
struct Bell;

impl Wake for Bell {
    fn wake(self: Arc<Self>) {}
}

fn program() -> [usize; 7] {
    let bell = Arc::new(Bell);
    let count = || Arc::strong_count(&bell);
    let waker = Waker::from(Arc::clone(&bell));
    let made = count();
    let second = waker.clone();
    let cloned = count();
    second.wake();
    let woken = count();
    waker.wake_by_ref();
    let woken_by_ref = count();
    let third = waker.clone();
    mem::forget(third);
    let forgotten = count();
    let mut fourth = Waker::noop().clone();
    fourth.clone_from(&waker);
    let cloned_from = count();
    drop(waker);
    drop(fourth);
    [
        made,
        cloned,
        woken,
        woken_by_ref,
        forgotten,
        cloned_from,
        count(),
    ]
}
// ANCHOR_END: program

#[test]
fn each_waker_owns_one_count_and_wake_gives_it_back() {
    assert_eq!(program(), [2, 3, 2, 2, 3, 4, 2]);
}
