//! Rung 1.

use std::{
    cell::Cell,
    future::{Future, poll_fn},
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::Poll,
    thread,
    time::Duration,
};

use super::{Check, moments, run};

pub(super) const CHECKS: &[Check] = &[
    Check::new("borrows_and_is_not_send", borrows_and_is_not_send),
    Check::new("one_poll_for_each_wake", one_poll_for_each_wake),
    Check::new(
        "root_woken_at_any_moment",
        moments::root_woken_at_any_moment,
    ),
    Check::new("polled_during_a_wake", moments::polled_during_a_wake),
    Check::new("asleep_for_no_reason", moments::asleep_for_no_reason),
];

fn borrows_and_is_not_send() {
    let (text, count) = (String::from("borrowed"), Rc::new(Cell::new(0)));
    let output = run(async {
        count.set(text.len());
        text.as_str()
    });
    assert_eq!(
        (output, count.get()),
        ("borrowed", 8),
        "the output of `block_on` is the root future's"
    );
}

/// Is woken by another thread so many times, each time when it has been polled. Counts its polls.
pub(super) fn woken(times: usize, polls: Arc<AtomicUsize>) -> impl Future<Output = ()> + Send {
    poll_fn(move |cx| {
        if polls.fetch_add(1, SeqCst) >= times {
            return Poll::Ready(());
        }
        let waker = cx.waker().clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(1));
            waker.wake();
        });
        Poll::Pending
    })
}

fn one_poll_for_each_wake() {
    let polls = Arc::new(AtomicUsize::new(0));
    run(woken(10, polls.clone()));
    assert_eq!(
        polls.load(SeqCst),
        11,
        "polls of a root future that was woken ten times, each time after a poll"
    );
}
