//! Counts allocations: those that exist, because a leaked reference count shows nowhere else, and those that a thread makes.

#![expect(
    unsafe_code,
    reason = "an allocator can be implemented in no other way"
)]

use std::{
    alloc::{GlobalAlloc, Layout},
    cell::Cell,
    hint::black_box,
    sync::{
        LazyLock,
        atomic::{AtomicIsize, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use crate::{Answer, Unsupported};

/// What is said where nothing counts.
pub(crate) const NOT_COUNTED: &str = "this program does not count its allocations: write `runtime_contract::count_allocations!();` above its tests";

/// Makes a program count its allocations, for the clauses that ask whether anything is left. A program that tests a runtime or a leaf
/// future says this once, outside of its functions. In one that does not, these clauses are ignored.
///
/// It is a `#[global_allocator]`. A program can have only one, so the program itself decides, and not this library. With the path of
/// an allocator, such as `count_allocations!(mimalloc::MiMalloc)`, it is that one which counts, and not the system's.
#[macro_export]
macro_rules! count_allocations {
    () => {
        $crate::count_allocations!(::std::alloc::System);
    };
    ($Allocator:path) => {
        #[global_allocator]
        static COUNTS_ALLOCATIONS: $crate::CountsAllocations<$Allocator> =
            $crate::CountsAllocations($Allocator);
    };
}

/// An allocator that counts.
#[doc(hidden)] // for `count_allocations`
#[derive(Debug)]
pub struct CountsAllocations<A>(pub A);

/// How many allocations of the process exist. One that is freed on another thread than it was made on is counted as well.
static LIVE: AtomicIsize = AtomicIsize::new(0);

thread_local! {
    /// How many allocations this thread has made. It needs no destructor and no allocation of its own.
    static MADE_HERE: Cell<usize> = const { Cell::new(0) };
    /// Whether this thread belongs to the test, and never to what is tested.
    static IS_APART: Cell<bool> = const { Cell::new(false) };
}

fn count_one_made() {
    // A thread that is about to end may have no count any more. No clause asks for it then.
    let _ = MADE_HERE.try_with(|made| made.set(made.get() + 1));
}

fn count_live(change: isize) {
    if !IS_APART.try_with(Cell::get).unwrap_or(false) {
        LIVE.fetch_add(change, Relaxed);
    }
}

/// What this thread allocates from here on is none of the subject's.
pub(crate) fn are_not_counted_here() {
    IS_APART.set(true);
}

/// Does what belongs to the test on a thread of the subject: what it allocates counts as nobody's.
pub(crate) fn are_not_counted_in(act: impl FnOnce()) {
    let (made, was_apart) = (MADE_HERE.get(), IS_APART.replace(true));
    act();
    MADE_HERE.set(made);
    IS_APART.set(was_apart);
}

// SAFETY: each method passes its arguments on to the allocator and returns what that returns. What is done besides allocates
// nothing and cannot unwind.
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountsAllocations<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_live(1);
        count_one_made();
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { self.0.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count_live(1);
        count_one_made();
        // SAFETY: the caller keeps the promises of `alloc_zeroed`.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_one_made();
        // SAFETY: the caller keeps the promises of `realloc`, and `place` came from this allocator.
        unsafe { self.0.realloc(place, layout, size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count_live(-1);
        // SAFETY: the caller keeps the promises of `dealloc`, and `place` came from this allocator.
        unsafe { self.0.dealloc(place, layout) }
    }
}

/// Whether the program counts its allocations. A clause that counts none would find that nothing leaks.
///
/// # Errors
///
/// [`Unsupported`] if it does not.
pub(crate) fn counted() -> Answer {
    static COUNTED: LazyLock<bool> = LazyLock::new(|| {
        let before = MADE_HERE.get();
        drop(black_box(Box::new(0)));
        MADE_HERE.get() > before
    });
    if *COUNTED { Ok(()) } else { Err(Unsupported) }
}

/// How many allocations this thread has made so far. What other threads do meanwhile changes nothing.
pub(crate) fn made_here() -> usize {
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
    assert!(counted().is_ok(), "{}", NOT_COUNTED);
    LIVE.load(Relaxed)
}
