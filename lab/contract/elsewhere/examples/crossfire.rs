//! A task polls a receiver 1,000 times with one waker, as a `select!` in a loop does. crossfire 3.1 allocates in each poll.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    future::Future,
    pin::pin,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    task::{Context, Waker},
};

struct Counts;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does what is asked.
unsafe impl GlobalAlloc for Counts {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counts = Counts;

fn main() {
    let (_sender, receiver) = crossfire::mpsc::bounded_async::<u32>(8);
    let mut receives = pin!(receiver.recv());
    let before = ALLOCATIONS.load(Relaxed);
    for _ in 0..1_000 {
        let mut cx = Context::from_waker(Waker::noop());
        assert!(receives.as_mut().poll(&mut cx).is_pending());
    }
    println!("allocations: {}", ALLOCATIONS.load(Relaxed) - before);
}
