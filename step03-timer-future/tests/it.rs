//! All tests of this stage that one program can run.

mod documents;
mod first_poll;
mod no_thread;
mod order;
mod pinning;
mod signal;
mod state_machines;
mod threads;
mod timer;
mod transcript;

/// For the files of the stage that `order` compiles once more.
use order::TimerFuture;
