//! All tests of this stage that one program can run.

mod block_on;
mod parker;
mod signal;
mod transcript;
mod waker;
