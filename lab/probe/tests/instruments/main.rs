//! What counts, provokes and measures.

mod condvar;
mod counted;
mod counting_waker;
mod foreign;
mod gap;
mod hostile;
mod mutex;
#[cfg(not(miri))]
mod usage;
