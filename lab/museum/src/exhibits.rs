//! Every exhibit, in the order of the chapters.

use crate::Exhibit;

macro_rules! exhibits {
    ($($(#[$only:meta])? $file:ident)*) => {
        $($(#[$only])? mod $file;)*

        /// Every exhibit that this system can run, in the order of the chapters.
        pub const ALL: &[&Exhibit] = &[$($(#[$only])? &$file::EXHIBIT),*];
        /// The files of all of them, those of other systems included.
        pub(crate) const FILES: &[&str] = &[$(stringify!($file)),*];
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
    #[cfg(target_os = "linux")]
    end_of_input_spins
    unwrap_or_zero
    #[cfg(target_os = "linux")]
    epoll_refuses_files
    #[cfg(target_os = "linux")]
    half_a_line_blocks
    locks_in_both_orders
    #[cfg(target_os = "linux")]
    eventfd_never_read
    #[cfg(target_os = "linux")]
    interrupted_wait
    one_waker_slot
    newer_event_cleared
    #[cfg(target_os = "linux")]
    descriptor_used_again
    buffer_lent_to_the_kernel
    sleeps_without_a_last_look
    read_after_the_claim
    lifo_slot_starves
    spawned_into_the_slot
    always_ready
    touched_after_push
}
