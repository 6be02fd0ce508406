//! All tests of this stage that one program can run.

mod async_in_depth;
mod documents;
mod fairness;
mod foreign;
mod mini_tokio;
mod sleep;
mod transcript;
