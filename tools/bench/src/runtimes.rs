//! The columns: tokio's two schedulers, smol, and the stages that have workers or sockets.

use std::{convert::identity, fmt::Debug};

use hyper_util::rt::TokioIo;
#[cfg(feature = "program")]
use smol_hyper::rt::FuturesIo;
#[cfg(feature = "program")]
use step08_join_handle as step08;
#[cfg(feature = "program")]
use step09_epoll_reactor as step09;
use step10_work_stealing::{self as step10, Version};
use tokio::runtime::Builder;
use tokio_util::compat::{Compat, TokioAsyncReadCompatExt};

use crate::runtime;
#[cfg(feature = "program")]
use crate::{
    measure::Measure,
    workloads::{on, on_net},
};

#[allow(dead_code, reason = "the bench needs its connections alone")]
#[path = "../../../step10-work-stealing/examples/http/hyper_rt.rs"]
mod hyper_rt;

fn join<T, E: Debug>(joined: Result<T, E>) -> T {
    joined.expect("a task has an output")
}

#[cfg(feature = "program")]
runtime!(Step08(step08::Runtime), start: step08::Runtime::new, spawn: step08::spawn, joined: join, detach: drop, yield_now: step08::yield_now);

#[cfg(feature = "program")]
runtime!(Step09(step09::Runtime), start: |_| step09::Runtime::new().expect("descriptors"), spawn: step09::spawn, joined: join, detach: drop, yield_now: smol::future::yield_now,
    sleep: step09::sleep, net: step09::net, bind: |address| step09::net::TcpListener::bind(address), wrap: identity,
    as: step09::net::TcpStream, io: FuturesIo::new);

/// Stage 10 with what a version of its scheduler has.
macro_rules! step10 {
    ($name:ident, $version:expr) => {
        runtime!($name(step10::Runtime), start: |workers| step10::Runtime::with_version(workers, $version), spawn: step10::spawn, joined: join, detach: drop, yield_now: step10::yield_now,
            sleep: step10::time::sleep, net: step10::net, bind: |address| step10::net::TcpListener::bind(address), wrap: identity,
            as: step10::net::TcpStream, io: hyper_rt::Io::new);
    };
}

#[cfg(feature = "program")]
step10!(Shared, Version::SharedQueue);
#[cfg(feature = "program")]
step10!(Local, Version::LocalQueues);
#[cfg(feature = "program")]
step10!(Stealing, Version::Stealing);
step10!(Step10, Version::LifoSlot);

/// tokio with its default settings and all drivers.
macro_rules! tokio {
    ($name:ident, $builder:expr) => {
        runtime!($name(tokio::runtime::Runtime), start: |workers| $builder.worker_threads(workers).enable_all().build().expect("threads"), spawn: tokio::spawn, joined: join, detach: drop, yield_now: tokio::task::yield_now,
            sleep: tokio::time::sleep, net: tokio::net, bind: |address| tokio::net::TcpListener::bind(address).await, wrap: TokioAsyncReadCompatExt::compat,
            as: Compat<tokio::net::TcpStream>, io: |it: Compat<_>| TokioIo::new(it.into_inner()));
    };
}

tokio!(TokioMulti, Builder::new_multi_thread());
tokio!(TokioCurrent, Builder::new_current_thread());

#[cfg(feature = "program")]
pub use global::Smol;

#[cfg(feature = "program")]
mod global {
    use std::{convert::identity, future::Future};

    use smol_hyper::rt::FuturesIo;

    use crate::runtime;

    /// smol's own executor, which all of a process share. `SMOL_THREADS` says how many threads run it.
    struct Global;

    impl Global {
        fn block_on<F: Future>(&self, future: F) -> F::Output {
            smol::block_on(future)
        }
    }

    runtime!(Smol(Global), start: |_| Global, spawn: smol::spawn, joined: identity, detach: smol::Task::detach, yield_now: smol::future::yield_now,
    sleep: smol::Timer::after, net: smol::net, bind: |address| smol::net::TcpListener::bind(address).await, wrap: identity,
    as: smol::net::TcpStream, io: FuturesIo::new);
}

/// A runtime's name, and the rows that it can fill.
#[cfg(feature = "program")]
pub type Column = (&'static str, fn() -> Vec<(&'static str, Measure)>);

/// All of them, in the order of the columns.
#[cfg(feature = "program")]
pub const ALL: [Column; 9] = [
    ("step10", on_net::<Step10>),
    ("tokio-multi", on_net::<TokioMulti>),
    ("tokio-current", on_net::<TokioCurrent>),
    ("smol", on_net::<Smol>),
    ("step08", on::<Step08>),
    ("step09", on_net::<Step09>),
    ("step10-shared", on_net::<Shared>),
    ("step10-local", on_net::<Local>),
    ("step10-stealing", on_net::<Stealing>),
];
