//! A connection.

use std::{
    future::poll_fn,
    io::{self, Write},
    net::{self, Shutdown, SocketAddr},
    pin::Pin,
    task::{Context, Poll},
};

use futures::io::{AsyncRead, AsyncWrite};
use socket2::{Domain, Socket, Type};

use crate::{Direction, Registered};

/// A connection over TCP. Dropping it closes it.
///
/// Reading and writing borrow it exclusively, so at most one task waits for each. To read in one task and write in another,
/// split it: see [`futures::io::AsyncReadExt::split`].
#[derive(Debug)]
pub struct TcpStream(Registered<net::TcpStream>);

impl TcpStream {
    /// Connects to an address. A name is not accepted, because looking it up would block the thread.
    ///
    /// Dropping the future gives up the connection.
    ///
    /// # Errors
    ///
    /// Those of the system, for example that the connection was refused.
    ///
    /// # Panics
    ///
    /// If there is no runtime for the calling thread.
    // ANCHOR: connect
    pub async fn connect(address: impl Into<SocketAddr>) -> io::Result<TcpStream> {
        let address = address.into();
        let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
        socket.set_nonblocking(true)?;
        match socket.connect(&address.into()) {
            Err(error) if !is_under_way(&error) => return Err(error),
            _ => {}
        }
        let registered = Registered::not_ready(net::TcpStream::from(socket))?;
        poll_fn(|cx| registered.poll_io(Direction::Write, cx, finish_connect)).await?;
        Ok(TcpStream(registered))
    }
    // ANCHOR_END: connect

    pub(super) fn new(stream: net::TcpStream) -> io::Result<TcpStream> {
        stream.set_nonblocking(true)?;
        Registered::new(stream).map(TcpStream)
    }

    /// The address of this end.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.get_ref().local_addr()
    }

    /// The address of the other end.
    ///
    /// # Errors
    ///
    /// Those of the system, for example that the peer has gone.
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.0.get_ref().peer_addr()
    }

    /// Whether small writes are sent at once rather than gathered.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn set_nodelay(&self, nodelay: bool) -> io::Result<()> {
        self.0.get_ref().set_nodelay(nodelay)
    }
}

/// Whether connecting has begun, so that its end will be reported.
fn is_under_way(error: &io::Error) -> bool {
    #[cfg(unix)]
    return error.raw_os_error() == Some(rustix::io::Errno::INPROGRESS.raw_os_error());
    #[cfg(windows)]
    return error.kind() == io::ErrorKind::WouldBlock;
}

// ANCHOR: finish_connect
fn finish_connect(stream: &net::TcpStream) -> io::Result<()> {
    if let Some(error) = stream.take_error()? {
        return Err(error);
    }
    match stream.peer_addr() {
        Ok(_) => Ok(()),
        // The event was for nothing, so wait for another one.
        Err(error) if error.kind() == io::ErrorKind::NotConnected => {
            Err(io::ErrorKind::WouldBlock.into())
        }
        Err(error) => Err(error),
    }
}
// ANCHOR_END: finish_connect

impl AsyncRead for TcpStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.0.poll_read(cx, buffer)
    }
}

impl AsyncWrite for TcpStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        let write = |mut stream: &net::TcpStream| stream.write(buffer);
        self.0.poll_io(Direction::Write, cx, write)
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(())) // what has been written is in the kernel
    }

    /// Says to the peer that no more will be written. Reading goes on.
    fn poll_close(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(match self.0.get_ref().shutdown(Shutdown::Write) {
            // The peer has gone, so there is nothing left to close.
            Err(error) if error.kind() == io::ErrorKind::NotConnected => Ok(()),
            result => result,
        })
    }
}
