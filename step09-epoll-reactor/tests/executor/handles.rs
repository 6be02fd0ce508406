//! What a join handle gives out, and a task that nobody waits for.

use std::{
    future::pending,
    panic::resume_unwind,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
};

use probe::{
    CountingWaker,
    hostile::{Hostile, Moment},
    within,
};

use super::{LIMIT, poll, runtime, yields};

/// Panics when it is dropped, with another one of its kind, if it is told to.
struct Bomb(u32);

impl Drop for Bomb {
    fn drop(&mut self) {
        if self.0 > 0 && !thread::panicking() {
            resume_unwind(Box::new(Bomb(self.0 - 1)));
        }
    }
}

#[test]
fn the_future_of_a_cancelled_task_is_dropped_before_its_handle_is_told() {
    struct Looks(CountingWaker, Arc<AtomicUsize>);
    impl Drop for Looks {
        fn drop(&mut self) {
            self.1.store(self.0.wakes() + 1, SeqCst);
        }
    }
    within(LIMIT, || {
        for polled in [false, true] {
            let mut runtime = runtime();
            let (told, seen) = (CountingWaker::new(), Arc::new(AtomicUsize::new(0)));
            let looks = Looks(told.clone(), Arc::clone(&seen));
            let mut handle = runtime.spawn(async move {
                let _looks = looks;
                pending::<()>().await;
            });
            assert!(poll(&mut handle, &told.waker()).is_pending());
            if polled {
                runtime.block_on(yields(2));
            }
            drop(runtime);
            assert_eq!((seen.load(SeqCst), told.wakes()), (1, 1));
        }
    });
}

#[test]
fn the_executor_outlives_a_handles_waker_whose_panic_panics_when_it_is_dropped() {
    within(LIMIT, || {
        let mut runtime = runtime();
        let hostile = Hostile::new();
        hostile.arm(Moment::Wake, || resume_unwind(Box::new(Bomb(2))));
        let mut handle = runtime.spawn(async { 7 });
        assert!(poll(&mut handle, &hostile.waker()).is_pending());
        runtime.block_on(yields(3));
        assert!(hostile.acted());
        assert_eq!(runtime.block_on(handle).unwrap(), 7);
    });
}

#[test]
fn an_output_that_panics_when_it_is_dropped_leaves_the_executor_in_peace() {
    within(LIMIT, || {
        let mut runtime = runtime();
        drop(runtime.spawn(async { Bomb(3) }));
        drop(runtime.spawn(async { resume_unwind(Box::new(Bomb(2))) }));
        runtime.block_on(yields(3));
    });
}
