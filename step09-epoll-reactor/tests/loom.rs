//! The executor falls asleep, or ends, while another thread wakes a task, spawns one or registers a timer. Loom tries every
//! order of their steps, and where there are three threads, all with at most three interruptions.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p step09-epoll-reactor --test loom --target-dir target/loom`
#![cfg(loom)]

use std::{
    future::{pending, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{
        Arc,
        Mutex,
        // Not loom's: these count, and order nothing.
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll, Wake, Waker},
    time::Duration,
};

use loom::{
    sync::{
        Arc as LoomArc,
        atomic::{AtomicUsize as LoomUsize, Ordering::Relaxed},
    },
    thread::{self, JoinHandle},
};
use step09_epoll_reactor::{Park, Parker, Runtime, Sleep};

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3_600);

/// Loom knows no time. Here a sleep until a deadline of less than an hour is over at once, and any other has no limit.
#[derive(Default)]
struct Timeless {
    parker: Parker,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    unparks: AtomicUsize,
    /// The waker that a short sleep hands back.
    due: Mutex<Option<Waker>>,
}

impl Park for Timeless {
    fn park(&self, timeout: Option<Duration>, due: &mut Vec<Waker>) {
        match timeout {
            Some(limit) if limit <= MINUTE => due.extend(self.shared.due.lock().unwrap().take()),
            _ => self.parker.park(None, due),
        }
    }

    fn unpark(&self) {
        self.shared.unparks.fetch_add(1, SeqCst);
        self.parker.unpark();
    }
}

fn runtime() -> (Runtime, Arc<Shared>) {
    let park = Timeless::default();
    let shared = Arc::clone(&park.shared);
    (Runtime::with_park(park), shared)
}

fn three_interruptions(model: impl Fn() + Send + Sync + 'static) {
    let mut orders = loom::model::Builder::new();
    orders.preemption_bound = Some(3);
    orders.check(model);
}

/// Starts threads in its first poll, which get its waker. Ready once all of them have counted.
async fn starts<const N: usize>(
    count: &LoomArc<LoomUsize>,
    start: impl Fn(LoomArc<LoomUsize>, Waker) -> JoinHandle<()>,
) {
    let mut threads = None;
    poll_fn(|cx| {
        threads.get_or_insert_with(|| [(); N].map(|()| start(count.clone(), cx.waker().clone())));
        // Relaxed: the wake must make it visible.
        if count.load(Relaxed) == N {
            return Poll::Ready(());
        }
        Poll::Pending
    })
    .await;
    for thread in threads.into_iter().flatten() {
        thread.join().unwrap();
    }
}

fn counts_and_wakes(count: LoomArc<LoomUsize>, waker: Waker) -> JoinHandle<()> {
    thread::spawn(move || {
        count.fetch_add(1, Relaxed);
        waker.wake();
    })
}

#[test]
fn a_thread_about_to_park_misses_no_unpark() {
    loom::model(|| {
        let parker = LoomArc::new(Parker::default());
        let unparks = parker.clone();
        let other = thread::spawn(move || unparks.unpark());
        // A lost unpark is a deadlock here, and loom reports it.
        parker.park(None, &mut Vec::new());
        other.join().unwrap();
    });
}

#[test]
fn a_wake_as_the_executor_falls_asleep_is_not_lost() {
    loom::model(|| {
        let (mut runtime, shared) = runtime();
        let count = LoomArc::new(LoomUsize::new(0));
        runtime.block_on(starts::<1>(&count, counts_and_wakes));
        assert!(shared.unparks.load(SeqCst) <= 1);
    });
}

#[test]
fn two_wakes_as_the_executor_falls_asleep_are_not_lost() {
    three_interruptions(|| {
        let (mut runtime, _) = runtime();
        let count = LoomArc::new(LoomUsize::new(0));
        runtime.block_on(starts::<2>(&count, counts_and_wakes));
    });
}

#[test]
fn a_task_spawned_as_the_executor_falls_asleep_is_polled() {
    loom::model(|| {
        let (mut runtime, _) = runtime();
        let count = LoomArc::new(LoomUsize::new(0));
        let handle = runtime.handle();
        runtime.block_on(starts::<1>(&count, |count, waker| {
            let handle = handle.clone();
            thread::spawn(move || {
                drop(handle.spawn(async move {
                    count.fetch_add(1, Relaxed);
                    waker.wake();
                }));
            })
        }));
    });
}

fn poll(sleep: &mut Sleep, waker: &Waker) -> Poll<()> {
    Pin::new(sleep).poll(&mut Context::from_waker(waker))
}

#[test]
fn a_timer_registered_as_it_falls_asleep_shortens_the_sleep() {
    loom::model(|| {
        let (mut runtime, shared) = runtime();
        let mut far = runtime.handle().sleep(HOUR);
        assert!(poll(&mut far, Waker::noop()).is_pending());
        let mut near = Some(runtime.handle().sleep(MINUTE));
        let mut registers = None;
        // The second poll comes after a short sleep. If there is none, this is a deadlock.
        let registers = runtime.block_on(poll_fn(|cx| {
            if let Some(mut near) = near.take() {
                *shared.due.lock().unwrap() = Some(cx.waker().clone());
                registers = Some(thread::spawn(move || {
                    assert!(poll(&mut near, Waker::noop()).is_pending());
                    near
                }));
                return Poll::Pending;
            }
            registers.take().map_or(Poll::Pending, Poll::Ready)
        }));
        drop(registers.join().unwrap());
        assert!(shared.unparks.load(SeqCst) <= 1);
    });
}

/// Counts its wakes.
#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, SeqCst);
    }
}

#[test]
fn a_timer_registered_as_the_runtime_ends_is_refused_or_woken() {
    loom::model(|| {
        let (runtime, _) = runtime();
        let mut sleep = runtime.handle().sleep(HOUR);
        let ends = thread::spawn(move || drop(runtime));
        let wakes = Arc::<Wakes>::default();
        let waker = Waker::from(Arc::clone(&wakes));
        let polled = catch_unwind(AssertUnwindSafe(|| poll(&mut sleep, &waker)));
        ends.join().unwrap();
        assert_eq!(wakes.0.load(SeqCst), usize::from(polled.is_ok()));
    });
}

#[test]
fn a_task_spawned_as_the_runtime_ends_is_dropped() {
    loom::model(|| {
        let (runtime, shared) = runtime();
        let (handle, held) = (runtime.handle(), Arc::new(()));
        let ends = thread::spawn(move || drop(runtime));
        let future = Arc::clone(&held);
        drop(handle.spawn(async move {
            pending::<()>().await;
            drop(future);
        }));
        ends.join().unwrap();
        assert_eq!(Arc::strong_count(&held), 1);
        // Nor is its entry in the queue left, which would own the runtime.
        drop(handle);
        assert_eq!(Arc::strong_count(&shared), 1);
    });
}
