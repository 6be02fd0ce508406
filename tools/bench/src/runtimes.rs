//! The columns: tokio's two schedulers, smol, and the stages that have workers or sockets. All calls are static, so that the
//! measurement adds no box and no table of functions to what a runtime does.

use std::{convert::identity, fmt::Debug, future::Future, io, time::Duration};

use futures::io::{AsyncRead, AsyncWrite};
use hyper::rt;
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

use crate::workloads::Measure;
#[cfg(feature = "program")]
use crate::workloads::{on, on_net};

#[allow(dead_code, reason = "the bench needs its connections alone")]
#[path = "../../../step10-work-stealing/examples/http/hyper_rt.rs"]
mod hyper_rt;

/// A runtime whose tasks spawn by a free function.
pub trait Runtime: 'static {
    /// Starts it with this many workers, if it has workers.
    fn start(workers: usize) -> Self;

    /// Runs the root future to its end, on the calling thread.
    fn block_on<F: Future>(&mut self, root: F) -> F::Output;

    /// Spawns a task whose output is wanted.
    fn spawn<T: Send + 'static>(
        task: impl Future<Output = T> + Send + 'static,
    ) -> impl Future<Output = T> + Send + 'static;

    /// Spawns a task that nobody waits for.
    fn detach(task: impl Future<Output = ()> + Send + 'static);

    /// Lets other tasks go first.
    fn yield_now() -> impl Future<Output = ()> + Send;
}

/// A runtime with timers and sockets. All sockets send at once what is written (`TCP_NODELAY`).
pub trait Net: Runtime {
    /// A connection.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// Sleeps.
    fn sleep(duration: Duration) -> impl Future<Output = ()> + Send;

    /// This many connections: of each, the client's end and the server's.
    #[allow(
        async_fn_in_trait,
        reason = "it is awaited by the root future, which need not be Send"
    )]
    async fn connected(count: usize) -> io::Result<Vec<(Self::Stream, Self::Stream)>>;

    /// A connection as hyper wants it.
    fn io(stream: Self::Stream) -> impl rt::Read + rt::Write + Unpin + Send + 'static;
}

/// Implements [`Runtime`]. `joined` makes the output of what a handle's `await` returns. After `net`, it implements [`Net`]
/// with the runtime's own module of sockets, where `bind` is an expression, because some runtimes await there, and `wrap` gives
/// a stream the traits of futures.
#[macro_export]
macro_rules! runtime {
    (
        $name:ident($runtime:ty), start: $start:expr, spawn: $spawn:path, joined: $joined:expr, detach: $detach:expr, yield_now: $yield:path
        $(, sleep: $sleep:path, net: $($net:ident)::+, bind: |$address:ident| $bind:expr, wrap: $wrap:expr, as: $stream:ty, io: $io:expr)?
    ) => {
        #[expect(missing_debug_implementations, reason = "a runtime shows nothing")]
        #[doc = concat!("The column `", stringify!($name), "`.")]
        pub struct $name($runtime);

        impl $crate::runtimes::Runtime for $name {
            fn start(workers: usize) -> Self {
                $name($start(workers))
            }

            fn block_on<F: ::std::future::Future>(&mut self, root: F) -> F::Output {
                self.0.block_on(root)
            }

            fn spawn<T: Send + 'static>(
                task: impl ::std::future::Future<Output = T> + Send + 'static,
            ) -> impl ::std::future::Future<Output = T> + Send + 'static {
                $crate::futures::FutureExt::map($spawn(task), $joined)
            }

            fn detach(task: impl ::std::future::Future<Output = ()> + Send + 'static) {
                $detach($spawn(task));
            }

            fn yield_now() -> impl ::std::future::Future<Output = ()> + Send {
                $yield()
            }
        }

        $(impl $crate::runtimes::Net for $name {
            type Stream = $stream;

            async fn sleep(duration: ::std::time::Duration) {
                $sleep(duration).await;
            }

            async fn connected(count: usize) -> ::std::io::Result<Vec<($stream, $stream)>> {
                let $address: ::std::net::SocketAddr = ([127, 0, 0, 1], 0).into();
                #[allow(unused_mut, reason = "some runtimes accept one at a time")]
                let mut listener = $bind?;
                let address = listener.local_addr()?;
                let mut pairs = Vec::with_capacity(count);
                for _ in 0..count {
                    let client = $($net)::+::TcpStream::connect(address).await?;
                    let (server, _peer) = listener.accept().await?;
                    client.set_nodelay(true)?;
                    server.set_nodelay(true)?;
                    pairs.push(($wrap(client), $wrap(server)));
                }
                Ok(pairs)
            }

            fn io(stream: $stream) -> impl $crate::hyper::rt::Read + $crate::hyper::rt::Write + Unpin + Send + 'static {
                $io(stream)
            }
        })?
    };
}

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
    use super::*;

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
