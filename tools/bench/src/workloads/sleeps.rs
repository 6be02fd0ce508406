//! Many sleeps at once: how late they end, and how many threads wait.

use std::{
    fs,
    time::{Duration, Instant},
};

use crate::{
    measure::{Answer, Clock, Size, check},
    runtime::{Sleep, Spawn},
};

pub(super) fn run<R: Sleep>(size: Size) -> Answer {
    let count = size.of(10_000, 1000, 50);
    let mut runtime = R::start();
    let clock = Clock::start();
    let (mut late, threads) = runtime.block_on(|spawner| all::<R>(spawner, count));
    let mut figures = clock.stop(count);
    check("the sleeps", late.len(), count)?;
    late.sort_unstable();
    if late[0].is_none() {
        return Err("a sleep ended too early".to_owned());
    }
    let median = late[count / 2].unwrap_or_default();
    figures.lateness_us = Some(median.as_nanos() as f64 / 1000.0);
    figures.threads = threads;
    Ok(figures)
}

/// How late each of them is, and on how many threads they wait.
async fn all<R: Sleep>(spawner: R::Spawner, count: usize) -> (Vec<Option<Duration>>, Option<f64>) {
    let mut handles = Vec::with_capacity(count);
    for number in 0..count {
        // 7,919 is a prime, so that neighbours end at different times.
        let microseconds = 1000 + number * 7919 % 49_000;
        let duration = Duration::from_micros(microseconds as u64);
        handles.push(spawner.spawn(async move {
            let due = Instant::now() + duration;
            R::sleep(duration).await;
            Instant::now().checked_duration_since(due)
        }));
    }
    R::yield_now().await;
    let threads = threads();
    let mut late = Vec::with_capacity(count);
    for handle in handles {
        late.push(handle.await);
    }
    (late, threads)
}

/// How many threads this process has, where the system says so.
fn threads() -> Option<f64> {
    let threads = fs::read_dir("/proc/self/task").ok()?;
    Some(threads.count() as f64)
}
