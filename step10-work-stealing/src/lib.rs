//! # Stage 10: work stealing
//!
//! A runtime that keeps up with tokio.

#![allow(dead_code)]

/// What earlier stages taught, byte for byte as it is there.
mod carried {
    pub(crate) mod contain;
    pub(crate) mod interval;
    pub(crate) mod join_error;
    pub(crate) mod net {
        pub(crate) mod incoming;
        pub(crate) mod tcp_listener;
        pub(crate) mod tcp_stream;
        pub use tcp_listener::TcpListener; pub use tcp_stream::TcpStream; pub use incoming::Incoming;
    }
    pub(crate) mod park;
    pub(crate) mod queue;
    pub(crate) mod reactor;
    pub(crate) mod selector;
    pub(crate) mod slab;
    pub(crate) mod sleep;
    pub(crate) mod source;
    pub(crate) mod time_driver;
    pub(crate) mod timeout;
    #[cfg(target_os = "linux")]
    pub(crate) mod v2_epoll;
    pub(crate) mod v3_polling;
    pub(crate) mod workers;
    pub(crate) mod yield_now;
}

mod blocking;
mod budget;
mod context;
mod handle;
mod idle;
mod injector;
mod list;
mod metrics;
pub mod net;
mod parking;
mod registered;
mod runtime;
mod sync;
mod task;
pub mod time;
mod version;
mod worker;

use std::future::Future;

#[cfg(target_os = "linux")]
use carried::v2_epoll;
use carried::{contain, queue, selector, slab, sleep::{Sleep, sleep}, source, time_driver, v3_polling, workers};
pub use carried::{
    join_error::JoinError,
    park::{Park, Parker},
    reactor::Reactor,
    selector::{AsIo, BorrowedIo, Selector, Trigger},
    slab::Key,
    source::{Direction, Event},
    yield_now::yield_now,
};
pub use handle::Handle;
pub use metrics::WorkerMetrics;
pub use registered::Registered;
pub use runtime::Runtime;
use task as task_future;
pub use task::{JoinHandle, Payload};
pub use version::Version;

/// Spawns
pub fn spawn<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    match context::here() {
        Some(current) => current.handle.spawn(future),
        None => context::global().spawn(future),
    }
}

/// Calls `f` on a thread that may block
pub fn spawn_blocking<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    context::current().spawn_blocking(f)
}

/// Runs
pub fn block_on<F: Future>(future: F) -> F::Output {
    context::global().block_on(future)
}
