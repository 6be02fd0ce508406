//! All tests of this stage that one program can run.

#[path = "../src/demo/counted.rs"]
mod counted;
#[cfg(target_os = "linux")]
#[path = "../src/demo/counted_park.rs"]
mod counted_park;
#[path = "../src/demo/limit.rs"]
mod limit;

mod completion;
mod documents;
mod echo;
mod executor;
mod foreign;
mod idle;
#[cfg(not(miri))]
mod io;
mod no_descriptors;
mod paper;
mod signals;
mod syscalls;
mod transcript;
