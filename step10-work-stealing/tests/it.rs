//! Tree Borrows: under Miri these need them, because crossbeam's queues break the rules of Stacked Borrows.
//!
//! All tests of this stage that one program can run.

mod foreign;
mod hostile;
mod hyper_rt;
mod idle;
mod runtime;
mod storm;
mod subject;
mod transcript;
mod versions;
