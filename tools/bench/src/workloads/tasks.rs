//! What tasks cost: to spawn and join them, to yield, to sleep, and to be there.

use std::{
    fs,
    future::poll_fn,
    mem,
    sync::Mutex,
    task::{Poll, Waker},
    time::{Duration, Instant},
};

use futures::channel::oneshot::{self, Sender};

use crate::{
    measure::{Clock, Figures, Size, second_time, sum},
    runtime::{Net, Runtime},
};

/// The root future spawns many tasks, then joins them all.
pub(super) fn spawn<R: Runtime>(size: Size) -> Figures {
    let count = size.of(100_000, 20_000, 100);
    let mut runtime = R::start(2);
    let spawn = |number| R::spawn(async move { number });
    second_time(count, (0..count).sum(), || {
        runtime.block_on(sum((0..count).map(spawn)))
    })
}

/// A task spawns many tasks, and awaits each before it spawns the next.
pub(super) fn spawn_await<R: Runtime>(size: Size) -> Figures {
    let count = size.of(100_000, 10_000, 100);
    let mut runtime = R::start(2);
    let one_by_one = move || async move {
        let mut sum = 0;
        for number in 0..count {
            sum += R::spawn(async move { number }).await;
        }
        sum
    };
    second_time(count, (0..count).sum(), || {
        runtime.block_on(async { R::spawn(one_by_one()).await })
    })
}

/// Tasks that do nothing but let each other go first. The root future spawns them, so those that are neighbours in memory may be
/// polled by turns on several workers.
pub(super) fn yields<R: Runtime>(size: Size) -> Figures {
    let (tasks, times) = (size.of(1000, 1000, 10), size.of(1000, 100, 10));
    let mut runtime = R::start(2);
    let task = |_| {
        R::spawn(async move {
            for _ in 0..times {
                R::yield_now().await;
            }
            times
        })
    };
    second_time(tasks * times, tasks * times, || {
        runtime.block_on(sum((0..tasks).map(task)))
    })
}

/// Each task spawns the next one, and the last one tells the root future.
pub(super) fn chain<R: Runtime>(size: Size) -> Figures {
    let (chains, links) = (size.of(10, 2, 1), size.of(10_000, 10_000, 100));
    let mut runtime = R::start(2);
    second_time(chains * links, chains * links, || {
        runtime.block_on(async {
            let mut sum = 0;
            for _ in 0..chains {
                let (last, end) = oneshot::channel();
                link::<R>(1, links, last);
                sum += end.await.expect("a last link");
            }
            sum
        })
    })
}

fn link<R: Runtime>(number: usize, links: usize, last: Sender<usize>) {
    R::detach(async move {
        if number < links {
            link::<R>(number + 1, links, last);
        } else {
            last.send(number).expect("the root waits");
        }
    });
}

/// Many sleeps at once: how many microseconds late they end, at the median.
pub(super) fn sleeps<R: Net>(size: Size) -> Figures {
    let count = size.of(10_000, 1000, 50);
    let mut runtime = R::start(2);
    let clock = Clock::start();
    let mut late = runtime.block_on(async {
        let sleep = |number| {
            // 7,919 is a prime, so that neighbours end at different times.
            let duration = Duration::from_micros((1000 + number * 7919 % 49_000) as u64);
            R::spawn(async move {
                let due = Instant::now() + duration;
                R::sleep(duration).await;
                Instant::now().checked_duration_since(due)
            })
        };
        let mut late = Vec::with_capacity(count);
        for handle in (0..count).map(sleep).collect::<Vec<_>>() {
            late.push(handle.await);
        }
        late
    });
    late.sort_unstable();
    let median = late[0]
        .and(late[count / 2])
        .expect("no sleep ends too early");
    clock.stop(count, median.as_nanos() as f64 / 1000.0)
}

const UNPOISONED: &str = "no task panics";
static WAITING: Mutex<Vec<Waker>> = Mutex::new(Vec::new());

/// By how many bytes the process grows for a task that waits: with all that the runtime keeps of it, what the allocator wastes,
/// and the places of its handle and its waker.
pub(super) fn memory<R: Runtime>(size: Size) -> Figures {
    let count = size.of(100_000, 10_000, 100);
    let mut runtime = R::start(2);
    let clock = Clock::start();
    let (sum, bytes) = runtime.block_on(async {
        WAITING.lock().expect(UNPOISONED).reserve(count);
        let before = resident();
        let spawn = |number| {
            R::spawn(async move {
                wait().await;
                number
            })
        };
        let handles: Vec<_> = (0..count).map(spawn).collect();
        while WAITING.lock().expect(UNPOISONED).len() < count {
            R::yield_now().await;
        }
        let bytes = resident() - before;
        let wakers = mem::take(&mut *WAITING.lock().expect(UNPOISONED));
        wakers.into_iter().for_each(Waker::wake);
        (sum(handles.into_iter()).await, bytes)
    });
    assert_eq!(sum, (0..count).sum::<usize>(), "the outputs of the tasks");
    clock.stop(count, bytes / count as f64)
}

/// How much of the machine's memory this process has, in bytes. 0 where the system does not say so.
fn resident() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|it| it.split_whitespace().next()?.parse().ok());
    kibibytes.unwrap_or(0.0) * 1024.0
}

/// Waits until it is woken.
async fn wait() {
    let mut is_woken = false;
    poll_fn(|cx| {
        if mem::replace(&mut is_woken, true) {
            return Poll::Ready(());
        }
        WAITING.lock().expect(UNPOISONED).push(cx.waker().clone());
        Poll::Pending
    })
    .await;
}
