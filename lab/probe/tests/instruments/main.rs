//! What counts, provokes and measures.

mod condvar;
mod counted;
mod counting_waker;
mod gap;
mod hostile;
mod mutex;
#[cfg(not(miri))]
mod usage;
