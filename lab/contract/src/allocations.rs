//! Counts what the process allocates: a leak of a reference count shows nowhere else.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How many allocations were made so far.
pub(crate) fn made() -> usize {
    let stats = ALLOCATOR.stats();
    stats.allocations + stats.reallocations
}

/// How many allocations exist now.
pub(crate) fn live() -> isize {
    let stats = ALLOCATOR.stats();
    stats.allocations.wrapping_sub(stats.deallocations) as isize
}
