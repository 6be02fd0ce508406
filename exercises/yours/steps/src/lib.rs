//! What threads share, as in `std`, with a moment before each operation at which a check can let another thread act.
//!
//! A wake can get lost between two operations of a runtime, perhaps once in a million runs. With these types a check chooses the
//! moment: it tries all of them, one after the other, so a runtime that loses a wake loses it in every run of the check. [`plan`] is
//! the part that does this. The other modules have the interface of `../src/sync.rs`, which takes their place outside of the ladder.

pub mod atomic;
mod clock;
mod lock;
pub mod mpsc;
pub mod plan;
pub mod thread;

pub use clock::{Held, hold_the_clock, now};
pub use lock::{Condvar, Mutex, MutexGuard};
