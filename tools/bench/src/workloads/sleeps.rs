//! Many sleeps at once: how late they end.

use std::time::{Duration, Instant};

use crate::{
    measure::{Answer, Clock, Size, check},
    runtime::Net,
};

pub(super) fn run<R: Net>(size: Size) -> Answer {
    let count = size.of(10_000, 1000, 50);
    let mut runtime = R::start(2);
    let clock = Clock::start();
    let mut late = runtime.block_on(all::<R>(count));
    let mut figures = clock.stop(count);
    check(late.len(), count)?;
    late.sort_unstable();
    if late[0].is_none() {
        return Err("a sleep ended too early".to_owned());
    }
    let median = late[count / 2].unwrap_or_default();
    figures.late = median.as_nanos() as f64 / 1000.0;
    Ok(figures)
}

/// How late each of them is.
async fn all<R: Net>(count: usize) -> Vec<Option<Duration>> {
    let mut handles = Vec::with_capacity(count);
    for number in 0..count {
        // 7,919 is a prime, so that neighbours end at different times.
        let microseconds = 1000 + number * 7919 % 49_000;
        let duration = Duration::from_micros(microseconds as u64);
        handles.push(R::spawn(async move {
            let due = Instant::now() + duration;
            R::sleep(duration).await;
            Instant::now().checked_duration_since(due)
        }));
    }
    let mut late = Vec::with_capacity(count);
    for handle in handles {
        late.push(handle.await);
    }
    late
}
