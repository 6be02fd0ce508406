//! Every exhibit, in the order of the chapters.

use crate::Exhibit;

macro_rules! exhibits {
    ($($file:ident)*) => {
        $(mod $file;)*

        /// Every exhibit, in the order of the chapters.
        pub const ALL: &[&Exhibit] = &[$(&$file::EXHIBIT),*];
    };
}

exhibits! {
    sleep_ignores_the_waker
    polled_after_ready
    thread_before_first_poll
    stale_waker
    waker_stored_too_late
    three_states_one_poll
    wake_under_lock
    two_locks
    task_vanishes
    busy_executor
    bounded_queue
    million_entries
    panic_ends_all
    kept_waker_keeps_run
    lock_through_the_body
    lifo_queue
}
