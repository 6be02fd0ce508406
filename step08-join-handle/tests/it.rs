//! All tests of this stage that one program can run.

// The queue once more, with the `sync` of these tests.
#[path = "../src/lock.rs"]
mod lock;
#[path = "../src/queue.rs"]
#[allow(dead_code)]
mod queue_that_counts;
mod sync;

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
mod subjects;
mod task;
mod threads;
mod transcript;
mod versions;
mod yield_now;
