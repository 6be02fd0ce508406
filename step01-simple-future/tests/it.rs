//! All tests of this stage that one program can run.

mod callbacks;
mod run_loop;
mod socket;
mod socket_read;
mod threads;
mod transcript;
