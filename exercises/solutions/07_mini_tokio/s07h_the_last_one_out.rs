//! s07h · repair · 15 minutes · chapter 07, "A small tokio"
//!
//! This runs on tokio itself. A server that stops waits in `all_closed` until its last connection is closed. Once in a few
//! thousand stops it waits forever, although every connection is closed: `all_closed` has missed the notification.
//!
//! Repair it. `all_closed` returns when no connection is open, and any number of tasks may wait for that. As long as nothing
//! happens, none of them is woken. You may change all of `Connections` but the names and signatures of its methods, and the
//! count stays in `open`, because the tests use its lock. No connection is opened any more while a task waits.
//!
//! tokio's `Notify` has two kinds of notifications. Read in its documentation whom `notify_one` and `notify_waiters` reach:
//! a task that waits already, one that will wait, or also a future that was made and not yet polled.
//!
//! A test that waits for the unlucky moment would pass nearly always. So these tests choose it: a connection is closed
//! between two steps of `all_closed`, where the lock of `probe::Mutex` has just been released.
//!
//! Run: `cargo test --bin s07h_the_last_one_out`, or save this file while `rustlings` runs.
//! Red: a test says at which moment the last connection was closed, and which task has not been woken since.

use probe::Mutex;
use tokio::sync::Notify;

#[derive(Default)]
struct Connections {
    open: Mutex<usize>,
    closed: Notify,
}

impl Connections {
    fn opened(&self) {
        *self.open.lock().unwrap() += 1;
    }

    fn closed(&self) {
        *self.open.lock().unwrap() -= 1;
        self.closed.notify_waiters();
    }

    /// Returns when no connection is open.
    async fn all_closed(&self) {
        loop {
            // Made before the count is read, because from here on a notification reaches it.
            let notified = self.closed.notified();
            if *self.open.lock().unwrap() == 0 {
                return;
            }
            notified.await;
        }
    }
}

fn main() {}

// The tests are in the file that is named below. Read them, but do not change them. Each begins with #[test]
#[cfg(test)]
#[path = "../../checks/s07h_the_last_one_out.rs"]
mod tests;
