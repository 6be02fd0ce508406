//! Version 4: no waker in sight. tokio's `Notify` keeps it, and `async` does the rest.

use std::{sync::Arc, time::Instant};

use tokio::sync::Notify;

use super::Sleeper;

/// Waits until `when`, says `Hello world`, and returns `"done"`.
///
/// `Notify` needs nothing of tokio but itself, so this runs on any executor.
///
/// ```
/// use std::time::{Duration, Instant};
/// use step07_mini_tokio::delay::v4_notify::delay;
///
/// let when = Instant::now() + Duration::from_millis(5);
/// assert_eq!(futures::executor::block_on(delay(when)), "done");
/// ```
// ANCHOR: delay
pub async fn delay(when: Instant) -> &'static str {
    let notify = Arc::new(Notify::new());
    let notified = Arc::clone(&notify);
    // Lives across the `.await`: dropped early, the future takes its thread with it.
    let _sleeper = Sleeper::start(when, move || notified.notify_one());
    notify.notified().await;
    println!("Hello world");
    "done"
}
// ANCHOR_END: delay
