//! Given: TCP on your `Source`, with the traits `AsyncRead` and `AsyncWrite` of the crate `futures`.

use std::{
    future::poll_fn,
    io::{self, Read, Write},
    net::{self, Shutdown, SocketAddr, ToSocketAddrs},
    pin::Pin,
    task::{Context, Poll},
};

use futures_io::{AsyncRead, AsyncWrite};

use crate::{Direction, Source};

/// Waits for connections.
pub struct TcpListener(Source<net::TcpListener>);

/// A connection.
pub struct TcpStream(Source<net::TcpStream>);

impl TcpListener {
    /// Listens on an address, at port 0 on one that the system chooses.
    pub fn bind(address: impl ToSocketAddrs) -> io::Result<TcpListener> {
        let listener = net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Source::new(listener).map(TcpListener)
    }

    /// Where it listens.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.get().local_addr()
    }

    /// Waits for the next connection.
    pub async fn accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
        let accept = |listener: &net::TcpListener| listener.accept();
        let (stream, peer) = poll_fn(|cx| self.0.poll_io(Direction::Read, cx, accept)).await?;
        Ok((TcpStream::new(stream)?, peer))
    }
}

impl TcpStream {
    /// Takes a connection that is there already.
    pub fn new(stream: net::TcpStream) -> io::Result<TcpStream> {
        stream.set_nonblocking(true)?;
        Source::new(stream).map(TcpStream)
    }

    /// Connects. It blocks the thread meanwhile, which on the same machine takes no time.
    pub async fn connect(address: impl ToSocketAddrs) -> io::Result<TcpStream> {
        TcpStream::new(net::TcpStream::connect(address)?)
    }

    /// Whether small writes are sent at once.
    pub fn set_nodelay(&self, nodelay: bool) -> io::Result<()> {
        self.0.get().set_nodelay(nodelay)
    }
}

impl AsyncRead for TcpStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let read = |mut stream: &net::TcpStream| stream.read(buffer);
        self.0.poll_io(Direction::Read, cx, read)
    }
}

impl AsyncWrite for TcpStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        let write = |mut stream: &net::TcpStream| stream.write(data);
        self.0.poll_io(Direction::Write, cx, write)
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(())) // TCP keeps nothing back that a flush could send
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.get().shutdown(Shutdown::Write))
    }
}
