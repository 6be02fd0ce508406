//! Many small storms: tasks that spawn, wake each other, are aborted and joined, and block their worker, and in the midst of it
//! the runtime ends. Each future and each output is dropped exactly once.
#![cfg(not(miri))]

use std::{
    future::{pending, poll_fn},
    hint,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::Poll,
    thread,
    time::{Duration, Instant},
};

use futures::executor::block_on;
use probe::within;
use step10_work_stealing::{Handle, Parker, Runtime, Version, yield_now};

use crate::versions::VERSIONS;

const STORMS: usize = 1_000;

/// On a busy machine there are fewer storms, and on any machine the first ones.
const LONG_ENOUGH: Duration = Duration::from_secs(2);
const LIMIT: Duration = Duration::from_secs(60);

/// How many of them were made, and how many dropped.
#[derive(Clone, Default)]
struct Tally(Arc<[AtomicUsize; 2]>);

impl Tally {
    fn make(&self) -> Owned {
        self.0[0].fetch_add(1, SeqCst);
        Owned(self.clone())
    }

    fn made_and_dropped(&self) -> [usize; 2] {
        self.0.each_ref().map(|count| count.load(SeqCst))
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
                    // Blocks its worker until the child has run or is dropped, which only another worker or the end can do.
                    drop(block_on(inner.spawn(async move { drop(kept) })));
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
                    let mut waking = None;
                    poll_fn(|cx| match waking.take() {
                        None => {
                            let waker = cx.waker().clone();
                            waking = Some(thread::spawn(move || waker.wake()));
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
        let (start, wait) = (Instant::now(), Duration::from_micros(seed as u64 % 150));
        while start.elapsed() < wait {
            hint::spin_loop();
        }
        runtime.shutdown();
    });
    drop(handle);
    let [made, dropped] = tally.made_and_dropped();
    assert_eq!(made, dropped, "storm {seed}, {version:?}");
}

#[test]
fn in_every_storm_everything_is_dropped_once() {
    within(LIMIT, || {
        let start = Instant::now();
        for seed in (0..STORMS).take_while(|_| start.elapsed() < LONG_ENOUGH) {
            storm(seed, VERSIONS[seed % VERSIONS.len()]);
        }
    });
}
