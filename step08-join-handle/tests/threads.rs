//! How many threads a runtime has, and that it has none when it is gone.
//!
//! In a process of its own, whose threads it counts.

// Miri does not count threads.
#![cfg(not(miri))]

use std::{
    sync::{Arc, Barrier},
    time::Duration,
};

use futures::{executor::block_on, future::join_all};
use probe::within;
use step08_join_handle::{Runtime, v1_oneshot, v3_async_task};

/// A thread that has been joined may be counted a moment longer.
fn wait_until_gone(before: Option<usize>) {
    probe::wait_until(|| probe::threads() == before);
}

#[test]
fn a_runtime_has_its_workers_and_the_blocking_threads_it_needs() {
    probe::alone(|| {
        within(Duration::from_secs(10), || {
            let before = probe::threads();
            let more = |threads| before.map(|before| before + threads);
            for workers in [1, 3, 20] {
                let runtime = Runtime::new(workers);
                assert_eq!(probe::threads(), more(workers));
                let meet = Arc::new(Barrier::new(10));
                let functions = (0..10).map(|_| {
                    let meet = Arc::clone(&meet);
                    runtime.handle().spawn_blocking(move || {
                        meet.wait();
                    })
                });
                block_on(join_all(functions));
                assert_eq!(probe::threads(), more(workers + 10));
                runtime.block_on(async {});
                assert_eq!(probe::threads(), more(workers + 10));
                // All ten are idle, or will be soon, and the pool has room for 54 more. Each function finds an idle thread, unless it
                // comes so soon that no thread is idle yet. Then it starts one, but that's rare: at most half of them do.
                const FUNCTIONS: usize = 54;
                for _ in 0..FUNCTIONS {
                    block_on(runtime.handle().spawn_blocking(|| ())).unwrap();
                }
                let most = more(workers + 10 + FUNCTIONS / 2);
                assert!(probe::threads() <= most, "{:?}", probe::threads());
                runtime.shutdown();
                wait_until_gone(before);
            }
            let (one, three) = (v1_oneshot::Runtime::new(3), v3_async_task::Runtime::new(3));
            let panics = |i| async move { panic!("panic {i}") };
            let panicked = (0..10).map(|i| one.handle().spawn(panics(i)));
            let _: Vec<Result<(), _>> = block_on(join_all(panicked));
            let panicked = (0..10).map(|i| three.handle().spawn(panics(i)));
            let _: Vec<Result<(), _>> = block_on(join_all(panicked));
            assert_eq!(probe::threads(), more(6));
            drop((one, three));
            wait_until_gone(before);
        });
    });
}
