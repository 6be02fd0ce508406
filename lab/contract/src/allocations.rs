//! Counts what the process allocates, because a leaked reference count shows nowhere else.

use std::{hint::black_box, sync::LazyLock, thread, time::Duration};

use stats_alloc::INSTRUMENTED_SYSTEM;

/// Makes a program count its allocations, which some clauses ask for. Each program that tests a runtime or a leaf future
/// must say this once, outside of its functions.
///
/// It is a `#[global_allocator]`. A program can have only one, so the program itself decides, and not this library.
#[macro_export]
macro_rules! count_allocations {
    () => {
        #[global_allocator]
        static COUNTS_ALLOCATIONS: &$crate::stats_alloc::StatsAlloc<::std::alloc::System> =
            &$crate::stats_alloc::INSTRUMENTED_SYSTEM;
    };
}

/// Asserts that the program counts its allocations. A clause that counts none would find that nothing leaks.
pub(crate) fn assert_counted() {
    static COUNTED: LazyLock<bool> = LazyLock::new(|| {
        let before = INSTRUMENTED_SYSTEM.stats().allocations;
        drop(black_box(Box::new(0)));
        INSTRUMENTED_SYSTEM.stats().allocations > before
    });
    assert!(
        *COUNTED,
        "this program does not count its allocations: write `runtime_contract::count_allocations!();` above its tests"
    );
}

/// How many allocations were made so far.
pub(crate) fn made() -> usize {
    assert_counted();
    let stats = INSTRUMENTED_SYSTEM.stats();
    stats.allocations + stats.reallocations
}

/// How many allocations exist once nothing is freed any more: threads that have come to their ends may still free some.
pub(crate) fn at_rest() -> isize {
    let mut seen = live();
    loop {
        thread::sleep(Duration::from_millis(10));
        let now = live();
        if now >= seen {
            return now;
        }
        seen = now;
    }
}

/// How many allocations exist now.
pub(crate) fn live() -> isize {
    assert_counted();
    let stats = INSTRUMENTED_SYSTEM.stats();
    stats.allocations.wrapping_sub(stats.deallocations) as isize
}
