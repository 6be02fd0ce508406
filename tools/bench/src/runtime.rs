//! What a workload needs of a runtime, and a macro that makes a column of one. All calls are static, so that the measurement adds no box
//! and no table of functions to what a runtime does.

use std::{future::Future, io, time::Duration};

use futures::io::{AsyncRead, AsyncWrite};
use hyper::rt;

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

        impl $crate::runtime::Runtime for $name {
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

        $(impl $crate::runtime::Net for $name {
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
