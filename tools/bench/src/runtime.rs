//! What a runtime must offer to be measured. All calls are static, so that the measurement adds no box and no table of
//! functions to what a runtime does.

use std::{future::Future, io, time::Duration};

use futures::io::{AsyncRead, AsyncWrite};

/// A runtime whose tasks spawn by a free function.
pub(crate) trait Runtime: 'static {
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
pub(crate) trait Net: Runtime {
    /// A connection.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;
    /// A connection as hyper wants it.
    type Io: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static;

    /// Waits as long as this.
    fn sleep(duration: Duration) -> impl Future<Output = ()> + Send;

    /// This many connections: of each, the client's end and the server's.
    fn connected(
        count: usize,
    ) -> impl Future<Output = io::Result<Vec<(Self::Stream, Self::Stream)>>>;

    /// Hands a connection to hyper.
    fn io(stream: Self::Stream) -> Self::Io;
}

/// Implements [`Runtime`] and, after `net`, [`Net`]. `joined` makes the output of what a handle's `await` returns.
macro_rules! runtime {
    (
        $name:ident, start: $start:expr, spawn: $spawn:path, joined: $joined:expr, detach: $detach:expr, yield_now: $yield:path
    ) => {
        impl crate::runtime::Runtime for $name {
            fn start(workers: usize) -> Self {
                $name($start(workers))
            }

            fn block_on<F: Future>(&mut self, root: F) -> F::Output {
                self.0.block_on(root)
            }

            fn spawn<T: Send + 'static>(
                task: impl Future<Output = T> + Send + 'static,
            ) -> impl Future<Output = T> + Send + 'static {
                futures::FutureExt::map($spawn(task), $joined)
            }

            fn detach(task: impl Future<Output = ()> + Send + 'static) {
                $detach($spawn(task));
            }

            fn yield_now() -> impl Future<Output = ()> + Send {
                $yield()
            }
        }
    };
}

/// Implements [`Net`]. `bind` is an expression, because some runtimes await there; `wrap` gives a stream the traits of futures.
macro_rules! net {
    (
        $name:ident, sleep: $sleep:path, listener: $listener:ty, stream: $stream:ty, bind: |$address:ident| $bind:expr, wrap: $wrap:expr,
        as: $wrapped:ty, io: $io:ty = $to_io:expr
    ) => {
        impl crate::runtime::Net for $name {
            type Stream = $wrapped;
            type Io = $io;

            async fn sleep(duration: std::time::Duration) {
                $sleep(duration).await;
            }

            async fn connected(count: usize) -> std::io::Result<Vec<($wrapped, $wrapped)>> {
                let $address: std::net::SocketAddr = ([127, 0, 0, 1], 0).into();
                #[allow(unused_mut, reason = "some runtimes accept one at a time")]
                let mut listener: $listener = $bind?;
                let address = listener.local_addr()?;
                let mut pairs = Vec::with_capacity(count);
                for _ in 0..count {
                    let client = <$stream>::connect(address).await?;
                    let (server, _peer) = listener.accept().await?;
                    client.set_nodelay(true)?;
                    server.set_nodelay(true)?;
                    pairs.push(($wrap(client), $wrap(server)));
                }
                Ok(pairs)
            }

            fn io(stream: $wrapped) -> $io {
                $to_io(stream)
            }
        }
    };
}

pub(crate) use {net, runtime};
