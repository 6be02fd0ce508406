//! s05a · complete · 12 minutes · chapter 05, "Park, unpark and block_on"
//!
//! A thread calls `park` and sleeps there until another thread calls `unpark`. If `unpark` comes first, it leaves a
//! token, and the next `park` takes the token and returns at once. Each `park` uses the token up, so the `park` after it
//! sleeps again.
//!
//! The flag for the token and the condition variable are there. Write the bodies of `park` and `unpark`.
//!
//! Run: `cargo test --bin s05a_parker`, or save this file while `rustlings` runs.
//! Red: an assertion says which `park` returned too early, or which one was still asleep after a second and a half.

use std::sync::{Condvar, Mutex};

/// Lets one thread sleep, and lets any thread end that sleep.
#[derive(Default)]
struct Parker {
    /// `true`: unparked since the last `park` returned, so the next `park` need not sleep.
    token: Mutex<bool>,
    changed: Condvar,
}

impl Parker {
    /// Blocks this thread until there is a token, and takes the token.
    fn park(&self) {
        let mut token = self.token.lock().unwrap();
        // `wait` may return without a notification, so only the flag counts.
        while !*token {
            token = self.changed.wait(token).unwrap();
        }
        // This `park` has used the token up. The next one needs another.
        *token = false;
    }

    /// Leaves a token, and ends the sleep of the thread in `park`, if there is one.
    fn unpark(&self) {
        // The flag is for a thread that parks later, the notification for a thread that is asleep already.
        *self.token.lock().unwrap() = true;
        self.changed.notify_one();
    }
}

fn main() {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::{
            Arc,
            atomic::{AtomicBool, Ordering::SeqCst},
            mpsc::{self, RecvTimeoutError},
        },
        thread,
        time::Duration,
    };

    /// Parks on a thread of its own, which is left behind if it does not wake up.
    fn park(parker: &Arc<Parker>, when: &str, if_asleep: &str) {
        let (over, is_over) = mpsc::channel();
        let parking = Arc::clone(parker);
        thread::spawn(move || {
            parking.park();
            over.send(()).unwrap();
        });
        match is_over.recv_timeout(Duration::from_millis(1_500)) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => {
                panic!("`park`, {when}: still asleep after a second and a half. {if_asleep}")
            }
            Err(RecvTimeoutError::Disconnected) => {
                panic!("`park`, {when}: it panicked, with the message above.")
            }
        }
    }

    /// Unparks after a moment. The flag is `true` from just before the `unpark`.
    fn unpark_later(parker: &Arc<Parker>) -> Arc<AtomicBool> {
        let (parker, unparked) = (Arc::clone(parker), Arc::new(AtomicBool::new(false)));
        let flag = Arc::clone(&unparked);
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(30));
            flag.store(true, SeqCst);
            parker.unpark();
        });
        unparked
    }

    const LOOK_AT_UNPARK: &str = "What does `unpark` do for a thread that is asleep already?";

    #[test]
    fn a_sleep_lasts_until_the_unpark() {
        let parker = Arc::new(Parker::default());
        let unparked = unpark_later(&parker);
        park(&parker, "unparked a moment later", LOOK_AT_UNPARK);
        assert!(
            unparked.load(SeqCst),
            "`park` returned before any thread had called `unpark`. What does `park` do while the flag is `false`?"
        );
    }

    #[test]
    fn an_unpark_that_comes_first_is_not_lost() {
        let parker = Arc::new(Parker::default());
        parker.unpark();
        park(
            &parker,
            "unparked before",
            "A notification is not kept if no thread is waiting for it. Where does `unpark` leave a trace?",
        );
    }

    #[test]
    fn an_unpark_ends_one_sleep() {
        let parker = Arc::new(Parker::default());
        parker.unpark();
        park(
            &parker,
            "unparked before",
            "Where does `unpark` leave a trace?",
        );
        let unparked = unpark_later(&parker);
        park(&parker, "the second time", LOOK_AT_UNPARK);
        assert!(
            unparked.load(SeqCst),
            "the second `park` returned, although `unpark` had been called once and the first `park` had used that up. \
             What does `park` leave in the flag?"
        );
    }

    #[test]
    fn a_notification_without_a_token_ends_no_sleep() {
        let parker = Arc::new(Parker::default());
        let (notifying, unparked) = (Arc::clone(&parker), Arc::new(AtomicBool::new(false)));
        let flag = Arc::clone(&unparked);
        thread::spawn(move || {
            // As if `wait` returned without a notification, which it may do.
            for _ in 0..20 {
                thread::sleep(Duration::from_millis(2));
                notifying.changed.notify_all();
            }
            flag.store(true, SeqCst);
            notifying.unpark();
        });
        park(&parker, "notified, and unparked after that", LOOK_AT_UNPARK);
        assert!(
            unparked.load(SeqCst),
            "`changed` was notified, the flag was still `false`, and `park` returned. `wait` may return without a \
             notification, so `park` must check the flag again."
        );
    }
}
