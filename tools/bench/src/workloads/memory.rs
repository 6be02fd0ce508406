//! By how much the process grows for a task that waits: with all that the runtime keeps of it, what the allocator wastes, and
//! the places of its handle and its waker.

use std::{
    fs,
    future::poll_fn,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    task::{Poll, Waker},
};

use super::sum;
use crate::{
    measure::{Answer, Clock, Size, check},
    runtime::Runtime,
};

static WAITING: Mutex<Vec<Waker>> = Mutex::new(Vec::new());

fn waiting() -> MutexGuard<'static, Vec<Waker>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn run<R: Runtime>(size: Size) -> Answer {
    let count = size.of(100_000, 10_000, 100);
    let mut runtime = R::start(2);
    let clock = Clock::start();
    let (sum, bytes) = runtime.block_on(all::<R>(count));
    let mut figures = clock.stop(count);
    check(sum, (0..count).sum())?;
    figures.bytes = bytes / count as f64;
    Ok(figures)
}

async fn all<R: Runtime>(count: usize) -> (usize, f64) {
    waiting().reserve(count);
    let mut handles = Vec::with_capacity(count);
    let before = resident();
    for number in 0..count {
        handles.push(R::spawn(async move {
            wait().await;
            number
        }));
    }
    while waiting().len() < count {
        R::yield_now().await;
    }
    let bytes = resident() - before;
    let wakers = mem::take(&mut *waiting());
    wakers.into_iter().for_each(Waker::wake);
    (sum(handles).await, bytes)
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
        waiting().push(cx.waker().clone());
        Poll::Pending
    })
    .await;
}
