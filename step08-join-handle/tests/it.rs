//! All tests of this stage that one program can run.

mod abort;
mod blocking;
mod channel;
mod context;
mod documents;
mod foreign;
mod hostile;
mod join_set;
mod no_thread;
mod paper;
mod printed;
mod queue;
mod runtime;
mod scheduler;
mod semaphore;
mod state;
mod task;
mod threads;
mod transcript;
mod versions;
mod yield_now;
