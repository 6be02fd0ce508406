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
    pinned_and_then_moved
    task_vanishes
    busy_executor
    bounded_queue
    million_entries
    panic_ends_all
    kept_waker_keeps_run
    lock_through_the_body
    lifo_queue
    unpark_not_remembered
    shared_park_token
    block_on_in_a_task
    waker_leaks
    clone_without_count
    wake_by_ref_reads_the_object
    box_copied_by_clone
    waker_dropped_under_lock
    reactor_joins_itself
    wake_under_reactor_lock
    poisoned_reactor
    never_removed
    dropped_with_a_timer_pending
    futurelock
    thread_per_poll
    run_never_returns
    greedy_task
    leaked_cycle
    clock_before_waker
    two_threads_one_map
    woken_while_it_runs
    finished_task_kills_workers
    panics_kill_the_pool
    block_on_every_worker
    destructors_never_run
    join_without_a_second_look
    permit_swallowed
}
