//! A thousand small storms: tasks that spawn, wake each other, are aborted and joined, and functions that block, and in the
//! midst of it the runtime ends. Each future and each output is dropped exactly once.
#![cfg(not(miri))]

use std::{
    future::{pending, poll_fn},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::Poll,
    thread,
    time::Duration,
};

use probe::within;
use step10_work_stealing::{Handle, Parker, Runtime, Version, yield_now};

const STORMS: usize = 1_000;
const LIMIT: Duration = Duration::from_secs(120);

/// How many of them were made, and how many dropped.
#[derive(Clone, Default)]
struct Tally(Arc<[AtomicUsize; 2]>);

impl Tally {
    fn make(&self) -> Owned {
        self.0[0].fetch_add(1, SeqCst);
        Owned(self.clone())
    }

    fn made_and_dropped(&self) -> [usize; 2] {
        self.0.each_ref().map(|it| it.load(SeqCst))
    }
}

/// A part of a future, or an output.
struct Owned(Tally);

impl Drop for Owned {
    fn drop(&mut self) {
        self.0.0[1].fetch_add(1, SeqCst);
    }
}

/// What one thread does to the runtime. The number decides what each task does, so that every storm is another one.
fn blow(handle: &Handle, tally: &Tally, seed: usize) {
    for task in 0..6 {
        let (kept, tally, inner) = (tally.make(), tally.clone(), handle.clone());
        let joined = handle.spawn(async move {
            let _kept = kept;
            match (seed + task) % 6 {
                0 => yield_now().await,
                1 => pending().await,
                2 => {
                    let kept = tally.make();
                    let blocks = inner.spawn_blocking(move || drop(kept));
                    drop(blocks.await);
                }
                3 => {
                    let kept = tally.make();
                    let child = inner.spawn(async move {
                        yield_now().await;
                        kept
                    });
                    drop(child.await);
                }
                4 => {
                    let mut thread = None;
                    poll_fn(|cx| match thread.take() {
                        None => {
                            let waker = cx.waker().clone();
                            thread = Some(inner.spawn_blocking(move || waker.wake()));
                            Poll::Pending
                        }
                        Some(_) => Poll::Ready(()),
                    })
                    .await;
                }
                _ => drop(inner.spawn(yield_now())),
            }
            tally.make()
        });
        match (seed / 6 + task) % 4 {
            0 => joined.abort(),
            1 => drop(joined),
            2 => drop(handle.spawn(joined)),
            _ => {
                joined.abort();
                drop(joined);
            }
        }
    }
}

fn storm(seed: usize, version: Version) {
    let runtime = Runtime::with_park(2, version, Parker::default());
    let (handle, tally) = (runtime.handle(), Tally::default());
    thread::scope(|scope| {
        scope.spawn(|| blow(&handle, &tally, seed));
        let inside = tally.clone();
        let its = handle.clone();
        handle.spawn(async move { blow(&its, &inside, seed + 1) });
        // In the midst of it, and now and then after it.
        for _ in 0..seed % 50 {
            thread::yield_now();
        }
        runtime.shutdown();
    });
    drop(handle);
    let [made, dropped] = tally.made_and_dropped();
    assert_eq!(made, dropped, "storm {seed}, {version:?}");
}

#[test]
fn in_a_thousand_storms_everything_is_dropped_once() {
    const VERSIONS: [Version; 5] = [
        Version::SharedQueue,
        Version::LocalQueues,
        Version::Stealing,
        Version::LifoSlot,
        Version::Budget,
    ];
    within(LIMIT, || {
        for seed in 0..STORMS {
            storm(seed, VERSIONS[seed % VERSIONS.len()]);
        }
    });
}
