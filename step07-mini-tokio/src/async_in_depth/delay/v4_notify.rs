//! Version 4: an `async fn`. tokio's `Notify` stores the waker, and the compiler writes the state machine.

use std::{sync::Arc, time::Instant};

use tokio::sync::Notify;

use super::Sleeper;

/// Waits until `when`, prints `Hello world`, and returns `"done"`.
///
/// `Notify` does not need tokio's runtime, so this future runs on any executor.
///
/// ```
/// use std::time::{Duration, Instant};
/// use step07_mini_tokio::async_in_depth::delay::v4_notify::delay;
///
/// let when = Instant::now() + Duration::from_millis(5);
/// assert_eq!(futures::executor::block_on(delay(when)), "done");
/// ```
pub async fn delay(when: Instant) -> &'static str {
    let notify = Arc::new(Notify::new());
    let notified = Arc::clone(&notify);
    // It lives across the `.await`, so that dropping this future early ends the thread.
    let _sleeper = Sleeper::start(when, move || notified.notify_one());
    notify.notified().await;
    println!("      Hello world");
    "done"
}
