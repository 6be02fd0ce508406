//! The columns: tokio's two schedulers, smol, and the stages that have workers or sockets.

use std::{convert::identity, future::Future};

use hyper_util::rt::TokioIo;
use smol_hyper::rt::FuturesIo;
use step08_join_handle as step08;
use step09_epoll_reactor as step09;
use step10_work_stealing::{self as step10, Version};
use tokio::runtime::Builder;
use tokio_util::compat::{Compat, TokioAsyncReadCompatExt};

use crate::{
    runtime::{net, runtime},
    workloads::{Measure, Workload},
};

#[allow(dead_code, reason = "the bench needs its connections alone")]
#[path = "../../../step10-work-stealing/examples/http/hyper_rt.rs"]
mod hyper_rt;

/// What the ratios refer to: tokio with two workers.
pub(crate) const TOKIO: &str = "tokio-multi";

/// All of them, in the order of the columns.
pub(crate) const ALL: &[&str] = &[
    "step10",
    TOKIO,
    "tokio-current",
    "smol",
    "step08",
    "step09",
    "step10-shared",
    "step10-local",
    "step10-stealing",
];

/// How a workload is measured on a runtime, if the runtime can do it.
pub(crate) fn measure(workload: &Workload, runtime: &str) -> Option<Measure> {
    match runtime {
        "step10" => workload.on_net::<Step10>(),
        TOKIO => workload.on_net::<TokioMulti>(),
        "tokio-current" => workload.on_net::<TokioCurrent>(),
        // Its threads never end.
        "smol" => workload
            .on_net::<Smol>()
            .filter(|_| workload.name != "start-stop"),
        "step08" => workload.on::<Step08>(),
        "step09" => workload.on_net::<Step09>(),
        "step10-shared" => workload.on_net::<Shared>(),
        "step10-local" => workload.on_net::<Local>(),
        "step10-stealing" => workload.on_net::<Stealing>(),
        _ => None,
    }
}

fn join<T, E: std::fmt::Debug>(joined: Result<T, E>) -> T {
    joined.expect("a task has an output")
}

struct Step08(step08::Runtime);

runtime!(Step08, start: step08::Runtime::new, spawn: step08::spawn, joined: join, detach: drop, yield_now: step08::yield_now);

struct Step09(step09::Runtime);

runtime!(Step09, start: |_| step09::Runtime::new().expect("descriptors"), spawn: step09::spawn, joined: join, detach: drop, yield_now: smol::future::yield_now);
net!(Step09, sleep: step09::sleep, listener: step09::net::TcpListener, stream: step09::net::TcpStream,
    bind: |address| step09::net::TcpListener::bind(address), wrap: identity,
    as: step09::net::TcpStream, io: FuturesIo<step09::net::TcpStream> = FuturesIo::new);

/// Stage 10 with what a version of its scheduler has.
macro_rules! step10 {
    ($name:ident, $version:expr) => {
        struct $name(step10::Runtime);

        runtime!($name, start: |workers| step10::Runtime::with_version(workers, $version), spawn: step10::spawn, joined: join, detach: drop, yield_now: step10::yield_now);
        net!($name, sleep: step10::time::sleep, listener: step10::net::TcpListener, stream: step10::net::TcpStream,
            bind: |address| step10::net::TcpListener::bind(address), wrap: identity,
            as: step10::net::TcpStream, io: hyper_rt::Io = hyper_rt::Io::new);
    };
}

step10!(Shared, Version::SharedQueue);
step10!(Local, Version::LocalQueues);
step10!(Stealing, Version::Stealing);
step10!(Step10, Version::LifoSlot);

/// tokio with its default settings and all drivers.
macro_rules! tokio {
    ($name:ident, $builder:expr) => {
        struct $name(tokio::runtime::Runtime);

        runtime!($name, start: |workers| $builder.worker_threads(workers).enable_all().build().expect("threads"), spawn: tokio::spawn, joined: join, detach: drop, yield_now: tokio::task::yield_now);
        net!($name, sleep: tokio::time::sleep, listener: tokio::net::TcpListener, stream: tokio::net::TcpStream,
            bind: |address| tokio::net::TcpListener::bind(address).await, wrap: TokioAsyncReadCompatExt::compat,
            as: Compat<tokio::net::TcpStream>, io: TokioIo<tokio::net::TcpStream> = |it: Compat<_>| TokioIo::new(it.into_inner()));
    };
}

tokio!(TokioMulti, Builder::new_multi_thread());
tokio!(TokioCurrent, Builder::new_current_thread());

/// smol's own executor, which all of a process share. `SMOL_THREADS` says how many threads run it.
struct Smol(GlobalExecutor);

struct GlobalExecutor;

impl GlobalExecutor {
    fn block_on<F: Future>(&self, future: F) -> F::Output {
        smol::block_on(future)
    }
}

runtime!(Smol, start: |_| GlobalExecutor, spawn: smol::spawn, joined: identity, detach: smol::Task::detach, yield_now: smol::future::yield_now);
net!(Smol, sleep: smol::Timer::after, listener: smol::net::TcpListener, stream: smol::net::TcpStream,
    bind: |address| smol::net::TcpListener::bind(address).await, wrap: identity,
    as: smol::net::TcpStream, io: FuturesIo<smol::net::TcpStream> = FuturesIo::new);
