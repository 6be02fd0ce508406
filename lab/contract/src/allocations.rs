//! Counts allocations: those that exist, because a leaked reference count shows nowhere else, and those that a thread makes.

#![expect(
    unsafe_code,
    reason = "an allocator can be implemented in no other way"
)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    hint::black_box,
    sync::{
        LazyLock,
        atomic::{AtomicIsize, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

/// Makes a program count its allocations, which some clauses ask for. Each program that tests a runtime or a leaf future
/// must say this once, outside of its functions.
///
/// It is a `#[global_allocator]`. A program can have only one, so the program itself decides, and not this library.
#[macro_export]
macro_rules! count_allocations {
    () => {
        #[global_allocator]
        static COUNTS_ALLOCATIONS: $crate::CountsAllocations = $crate::CountsAllocations;
    };
}

/// The system's allocator, which counts here.
#[doc(hidden)] // for `count_allocations`
#[derive(Debug)]
pub struct CountsAllocations;

/// How many allocations of the process exist. One that is freed on another thread than it was made on is counted as well.
static LIVE: AtomicIsize = AtomicIsize::new(0);

thread_local! {
    /// How many allocations this thread has made. It needs no destructor and no allocation of its own.
    static MADE_HERE: Cell<usize> = const { Cell::new(0) };
}

fn count_one_made() {
    // A thread that is about to end may have no count any more. No clause asks for it then.
    let _ = MADE_HERE.try_with(|made| made.set(made.get() + 1));
}

// SAFETY: each method passes its arguments on to the system's allocator and returns what that returns. What is done besides
// allocates nothing and cannot unwind.
unsafe impl GlobalAlloc for CountsAllocations {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(1, Relaxed);
        count_one_made();
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(1, Relaxed);
        count_one_made();
        // SAFETY: the caller keeps the promises of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_one_made();
        // SAFETY: the caller keeps the promises of `realloc`, and `place` came from this allocator.
        unsafe { System.realloc(place, layout, size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        LIVE.fetch_sub(1, Relaxed);
        // SAFETY: the caller keeps the promises of `dealloc`, and `place` came from this allocator.
        unsafe { System.dealloc(place, layout) }
    }
}

/// Asserts that the program counts its allocations. A clause that counts none would find that nothing leaks.
fn assert_counted() {
    static COUNTED: LazyLock<bool> = LazyLock::new(|| {
        let before = MADE_HERE.get();
        drop(black_box(Box::new(0)));
        MADE_HERE.get() > before
    });
    assert!(
        *COUNTED,
        "this program does not count its allocations: write `runtime_contract::count_allocations!();` above its tests"
    );
}

/// How many allocations this thread has made so far. What other threads do meanwhile changes nothing.
pub(crate) fn made_here() -> usize {
    assert_counted();
    MADE_HERE.get()
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

/// How many allocations of this process exist now.
///
/// # Panics
///
/// If the program does not count them: see [`count_allocations`](crate::count_allocations).
///
/// ```
/// runtime_contract::count_allocations!();
///
/// let before = runtime_contract::live_allocations();
/// std::mem::forget(Box::new([0; 100]));
/// assert!(runtime_contract::live_allocations() > before);
/// ```
pub fn live() -> isize {
    assert_counted();
    LIVE.load(Relaxed)
}
