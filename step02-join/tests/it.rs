//! All tests of this stage that one program can run.

mod combine;
mod no_thread;
mod threads;
mod timer;
mod transcript;
