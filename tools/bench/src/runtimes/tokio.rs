//! tokio, with its default settings.

use std::{
    future::Future,
    io,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use futures::io::{AsyncRead, AsyncWrite};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead as _, AsyncWrite as _, ReadBuf},
    net::{TcpListener, TcpStream},
    runtime::Builder,
    task::JoinHandle,
};

use crate::runtime::{Joined, Net, Runtime, Sleep, Spawn};

/// With this many workers. 0: the thread that calls `block_on`, and no other.
pub(crate) struct Tokio<const WORKERS: usize>(tokio::runtime::Runtime);

impl<const WORKERS: usize> Runtime for Tokio<WORKERS> {
    type Spawner = Spawner;

    fn start() -> Self {
        let mut builder = match WORKERS {
            0 => Builder::new_current_thread(),
            _ => Builder::new_multi_thread(),
        };
        let built = builder.worker_threads(WORKERS.max(1)).enable_all().build();
        Tokio(built.expect("threads and descriptors for tokio"))
    }

    fn block_on<F>(&mut self, main: impl FnOnce(Spawner) -> F) -> F::Output
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        self.0.block_on(main(Spawner))
    }

    fn yield_now() -> impl Future<Output = ()> + Send {
        tokio::task::yield_now()
    }
}

/// `tokio::spawn`.
#[derive(Clone)]
pub(crate) struct Spawner;

impl Spawn for Spawner {
    type Join<T: Send + 'static> = Joined<JoinHandle<T>>;

    fn spawn<T, F>(&self, future: F) -> Self::Join<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        Joined(tokio::spawn(future))
    }

    fn detach<F: Future<Output = ()> + Send + 'static>(&self, future: F) {
        drop(tokio::spawn(future));
    }
}

impl<const WORKERS: usize> Sleep for Tokio<WORKERS> {
    fn sleep(duration: Duration) -> impl Future<Output = ()> + Send {
        tokio::time::sleep(duration)
    }
}

impl<const WORKERS: usize> Net for Tokio<WORKERS> {
    type Listener = TcpListener;
    type Stream = Stream;
    type Io = TokioIo<TcpStream>;

    async fn listen(address: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    }

    async fn accept(listener: &mut TcpListener) -> io::Result<Stream> {
        Stream::new(listener.accept().await?.0)
    }

    async fn connect(address: SocketAddr) -> io::Result<Stream> {
        Stream::new(TcpStream::connect(address).await?)
    }

    fn io(stream: Stream) -> TokioIo<TcpStream> {
        TokioIo::new(stream.0)
    }
}

/// tokio's stream with the traits of futures.
pub(crate) struct Stream(TcpStream);

impl Stream {
    fn new(stream: TcpStream) -> io::Result<Stream> {
        stream.set_nodelay(true)?;
        Ok(Stream(stream))
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let mut buffer = ReadBuf::new(buffer);
        ready!(Pin::new(&mut self.0).poll_read(cx, &mut buffer))?;
        Poll::Ready(Ok(buffer.filled().len()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, buffer)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}
