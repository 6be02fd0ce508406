//! The allocator, which counts when it is told to. Until then it costs a load and a branch that is never taken.

#[cfg(not(feature = "mimalloc"))]
use std::alloc::System as Inner;
use std::{
    alloc::{GlobalAlloc, Layout},
    sync::atomic::{AtomicBool, AtomicIsize, Ordering},
};

#[cfg(feature = "mimalloc")]
use mimalloc::MiMalloc as Inner;

/// What this program allocates with.
pub(crate) const NAME: &str = if cfg!(feature = "mimalloc") {
    "mimalloc"
} else if cfg!(target_env = "gnu") {
    "glibc's malloc"
} else {
    "the system's malloc"
};

#[global_allocator]
static ALLOCATOR: Counts = Counts;

static IS_COUNTING: AtomicBool = AtomicBool::new(false);
static LIVE: AtomicIsize = AtomicIsize::new(0);

/// Counts from now on.
pub(crate) fn count() {
    LIVE.store(0, Ordering::Relaxed);
    IS_COUNTING.store(true, Ordering::Relaxed);
}

/// How many bytes were allocated since, and not freed.
pub(crate) fn live() -> isize {
    LIVE.load(Ordering::Relaxed)
}

fn changed(by: usize, sign: isize) {
    if IS_COUNTING.load(Ordering::Relaxed) {
        LIVE.fetch_add(sign * by as isize, Ordering::Relaxed);
    }
}

struct Counts;

// SAFETY: all is done by the inner allocator. Counting neither allocates nor panics.
#[expect(unsafe_code)]
unsafe impl GlobalAlloc for Counts {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        changed(layout.size(), 1);
        // SAFETY: the caller keeps the same promises to this allocator.
        unsafe { Inner.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        changed(layout.size(), -1);
        // SAFETY: as above.
        unsafe { Inner.dealloc(place, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        changed(layout.size(), 1);
        // SAFETY: as above.
        unsafe { Inner.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        changed(layout.size(), -1);
        changed(size, 1);
        // SAFETY: as above.
        unsafe { Inner.realloc(place, layout, size) }
    }
}
