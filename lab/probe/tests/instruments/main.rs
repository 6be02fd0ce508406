//! What counts, provokes and measures.

mod condvar;
mod counted;
mod counting_waker;
mod gauge;
mod hostile;
#[cfg(not(miri))]
mod usage;
