//! A clock that a check can hold still, so that two timers are due at the same instant.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Instant,
};

static STANDS_AT: Mutex<Option<Instant>> = Mutex::new(None);
static LOOKS: AtomicUsize = AtomicUsize::new(0);

/// What time it is.
pub fn now() -> Instant {
    LOOKS.fetch_add(1, SeqCst);
    let stands_at = *STANDS_AT.lock().unwrap_or_else(PoisonError::into_inner);
    stands_at.unwrap_or_else(Instant::now)
}

/// As long as it lives, the clock stands still.
#[derive(Debug)]
pub struct Held(usize);

/// Holds the clock.
pub fn hold_the_clock() -> Held {
    let looks = LOOKS.load(SeqCst);
    *STANDS_AT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    Held(looks)
}

impl Held {
    /// Whether the runtime has asked for the time since then.
    pub fn was_looked_at(&self) -> bool {
        LOOKS.load(SeqCst) > self.0
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        *STANDS_AT.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
