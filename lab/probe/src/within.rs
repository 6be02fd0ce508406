//! The watchdog: a closure that does not finish ends the process, with a message.

use std::io::Write;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Runs `f` on the calling thread and returns what it returns. If that takes longer than `limit`, the *process* ends with
/// status 1, for no thread can be made to give up a poll that hangs.
///
/// A panic in `f` goes on as if `within` were not there.
///
/// ```
/// use std::time::Duration;
///
/// assert_eq!(probe::within(Duration::from_secs(2), || 3 + 4), 7);
/// ```
pub fn within<T>(limit: Duration, f: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        // Dropped on return and on panic alike, which is what ends the guard.
        let (_running, over) = mpsc::channel::<()>();
        scope.spawn(move || {
            if over.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                // The handle itself, not `eprintln!`: what that prints is kept by the test harness, and would be lost here.
                let _ = writeln!(std::io::stderr(), "nothing finished within {limit:?}");
                std::process::exit(1);
            }
        });
        f()
    })
}
