//! All tests of this stage that one program can run.

mod arc_wake;
mod documents;
mod executors;
mod foreign;
mod local;
mod neighbours;
mod only_when_woken;
mod transcript;
mod who_drops;
