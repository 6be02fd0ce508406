//! Every exhibit, in the order of the chapters.

use crate::Exhibit;

macro_rules! exhibits {
    ($($(#[$only:meta])? $file:ident)*) => {
        $($(#[$only])? mod $file;)*

        /// Every exhibit that this system can run, in the order of the chapters.
        pub const ALL: &[&Exhibit] = &[$($(#[$only])? &$file::EXHIBIT),*];
    };
}

exhibits! {
    sleep_ignores_the_waker
    polled_after_ready
    thread_before_first_poll
    stale_waker
    waker_stored_too_late
    wake_under_lock
    two_locks
    pinned_and_then_moved
    bounded_queue
    unpark_not_remembered
    shared_park_token
    block_on_in_a_task
    wake_by_ref_reads_the_object
    waker_dropped_under_lock
    reactor_joins_itself
    dropped_with_a_timer_pending
    futurelock
    half_a_message
    leaked_cycle
    clock_before_waker
    two_threads_one_map
    woken_while_it_runs
    finished_task_kills_workers
    join_without_a_second_look
    permit_swallowed
    #[cfg(target_os = "linux")]
    end_of_input_spins
    #[cfg(target_os = "linux")]
    half_a_line_blocks
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
