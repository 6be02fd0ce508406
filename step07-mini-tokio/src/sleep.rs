//! A sleep that needs no runtime: all of them share one reactor, which the first sleep starts.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use crate::{Reactor, Timer};

/// Waits until `duration` has passed since the first poll, on any executor.
///
/// ```
/// use futures::executor::block_on;
/// use std::time::{Duration, Instant};
/// use step07_mini_tokio::sleep;
///
/// let (start, duration) = (Instant::now(), Duration::from_millis(5));
/// block_on(sleep(duration));
/// assert!(start.elapsed() >= duration);
/// ```
///
/// # Panics
///
/// If the operating system has no thread left for the reactor.
// ANCHOR: sleep
pub async fn sleep(duration: Duration) {
    static REACTOR: LazyLock<Arc<Reactor>> = LazyLock::new(Reactor::new);
    let timer = Timer::new(&REACTOR, duration);
    timer.await.expect("a static is never dropped");
}
// ANCHOR_END: sleep
