//! All tests of this stage that one program can run.

#[path = "../src/demo/counted.rs"]
mod counted;
#[path = "../src/demo/limit.rs"]
mod limit;

mod completion;
mod documents;
mod executor;
mod idle;
#[cfg(not(miri))]
mod io;
mod modes;
mod no_descriptors;
mod paper;
mod ring;
#[cfg(not(miri))]
mod stdin;
#[cfg(not(miri))]
mod stdin_program;
mod syscalls;
mod thousand;
mod transcript;
