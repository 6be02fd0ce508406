//! All tests of this stage that one program can run.

mod clone;
mod deadlines;
mod documents;
mod driver;
mod foreign;
mod no_thread;
mod reactor;
mod read_line;
mod threads;
mod timeout;
mod timers;
mod transcript;
