//! What several programs need.

use std::{future::Future, time::Duration};

use tokio::runtime;
use why_pending::watch;

/// The programs of a file: each has a name, and what a right verdict says.
macro_rules! programs {
    ($file:literal; $($name:ident($($says:literal),+) $body:block)*) => {
        pub(crate) const ALL: &[crate::Program] = &[$(crate::Program {
            name: stringify!($name),
            says: &[$($says),+],
            run: $name,
            file: $file,
            text: include_str!($file),
        }),*];
        $(fn $name() $body)*
    };
}
pub(crate) use programs;

pub(crate) fn ms(number: u64) -> Duration {
    Duration::from_millis(number)
}

/// Longer than any limit.
pub(crate) fn an_hour() -> Duration {
    Duration::from_secs(3600)
}

/// On one thread.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut runtime = runtime::Builder::new_current_thread();
    let runtime = runtime
        .enable_all()
        .build()
        .expect("the system gives what it needs");
    runtime.block_on(future)
}

/// The same, and the future is watched as `main`.
pub(crate) fn run<F: Future>(future: F) -> F::Output {
    block_on(watch("main", future))
}
