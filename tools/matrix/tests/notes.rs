//! What the notes below the matrix say about other people's runtimes, tried.

use std::{
    future::{Future, pending},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Weak, mpsc},
    thread,
    time::Duration,
};

use contract::{Preset, clauses::nesting};
use futures::{
    executor::{LocalPool, ThreadPool, block_on},
    task::{LocalSpawnExt, SpawnExt},
};
use probe::within;

const LIMIT: Duration = Duration::from_secs(20);

#[test]
fn a_local_pool_goes_on_when_it_is_run_again() {
    let mut pool = LocalPool::new();
    let spawner = pool.spawner();
    let panics = async { panic!("this panic belongs to the test") };
    spawner.spawn_local(panics).unwrap();
    let (tell, told) = mpsc::channel();
    spawner
        .spawn_local(async move { tell.send(7).unwrap() })
        .unwrap();
    let first = catch_unwind(AssertUnwindSafe(|| pool.run()));
    assert!(first.is_err(), "the panic comes out of run");
    pool.run();
    assert_eq!(told.recv(), Ok(7));
}

#[test]
fn a_handle_catches_what_would_end_a_thread_pools_worker() {
    within(LIMIT, || {
        let pool = ThreadPool::builder().pool_size(1).create().unwrap();
        let panics = async { panic!("this panic belongs to the test") };
        let handle = pool.spawn_with_handle(panics).unwrap();
        assert!(catch_unwind(AssertUnwindSafe(|| block_on(handle))).is_err());
        assert_eq!(block_on(pool.spawn_with_handle(async { 7 }).unwrap()), 7);
    });
}

/// Pending forever, with something that shows when it is dropped, and a word when it has been polled.
fn forever() -> (impl Future<Output = ()>, Weak<()>, mpsc::Receiver<()>) {
    let held = Arc::new(());
    let shows = Arc::downgrade(&held);
    let (tell, polled) = mpsc::channel();
    let future = async move {
        let _held = held;
        tell.send(()).unwrap();
        pending().await
    };
    (future, shows, polled)
}

#[test]
fn a_thread_pool_never_drops_a_pending_task_unless_its_handle_is_dropped() {
    within(LIMIT, || {
        let pool = ThreadPool::builder().pool_size(1).create().unwrap();
        let (detached, leaks, polled) = forever();
        pool.spawn_ok(detached);
        polled.recv().unwrap();
        let (handled, goes, polled) = forever();
        let handle = pool.spawn_with_handle(handled).unwrap();
        polled.recv().unwrap();
        drop(handle);
        while goes.strong_count() > 0 {
            thread::yield_now();
        }
        drop(pool);
        thread::sleep(Duration::from_millis(50));
        assert_eq!(leaks.strong_count(), 1);
    });
}

#[test]
fn tokio_hands_the_slot_over_before_it_blocks_in_place() {
    within(LIMIT, || {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let tokio = builder.worker_threads(2).build().unwrap();
        let task = tokio.spawn(async {
            let (tell, told) = mpsc::channel();
            tokio::spawn(async move { tell.send(7).unwrap() });
            tokio::task::block_in_place(|| told.recv().unwrap())
        });
        assert_eq!(tokio.block_on(task).unwrap(), 7);
    });
}

const POLLSTER_0_4: Preset = Preset::block_on(pollster04::block_on);

#[test]
fn pollster_0_4_keeps_what_1_0_1_does_not() {
    within(LIMIT, || {
        assert_eq!(nesting::nested(&POLLSTER_0_4), Ok(()));
        assert_eq!(nesting::parks_in_poll(&POLLSTER_0_4), Ok(()));
        assert_eq!(nesting::waits_in_poll(&POLLSTER_0_4), Ok(()));
    });
}
