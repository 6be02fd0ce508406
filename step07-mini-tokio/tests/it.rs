//! All tests of this stage that one program can run.

mod delay;
mod documents;
mod fairness;
mod foreign;
mod laziness;
mod mini_tokio;
mod no_thread;
mod threads;
mod transcript;
