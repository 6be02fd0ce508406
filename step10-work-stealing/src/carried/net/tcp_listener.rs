//! A socket that accepts connections.

use std::{
    future::poll_fn,
    io,
    net::{self, SocketAddr},
    task::{Context, Poll},
};

use crate::{Direction, Registered};

use super::{Incoming, TcpStream};

/// Accepts connections.
#[derive(Debug)]
pub struct TcpListener(Registered<net::TcpListener>);

impl TcpListener {
    /// Listens at an address. The port 0 stands for one that is free.
    ///
    /// A name is not accepted, because looking it up would block the thread.
    ///
    /// # Errors
    ///
    /// Those of the system, for example that the address is in use.
    ///
    /// # Panics
    ///
    /// If there is no runtime for the calling thread.
    pub fn bind(address: impl Into<SocketAddr>) -> io::Result<TcpListener> {
        let listener = net::TcpListener::bind(address.into())?;
        listener.set_nonblocking(true)?;
        Registered::new(listener).map(TcpListener)
    }

    /// The address at which it listens.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.get_ref().local_addr()
    }

    /// Waits for a connection. Returns it, and the address of the peer.
    ///
    /// Cancel safe: a connection that is there when the future is dropped is given to the next call.
    ///
    /// # Errors
    ///
    /// Those of the system. Most of them concern a single connection. If no descriptor is left, each call fails at once
    /// until one is closed; [`incoming`](TcpListener::incoming) waits for that.
    pub async fn accept(&mut self) -> io::Result<(TcpStream, SocketAddr)> {
        poll_fn(|cx| self.poll_accept(cx)).await
    }

    // ANCHOR: poll_accept
    pub(super) fn poll_accept(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<(TcpStream, SocketAddr)>> {
        let accept = |listener: &net::TcpListener| listener.accept();
        self.0.poll_io(Direction::Read, cx, accept).map(|accepted| {
            let (stream, peer) = accepted?;
            Ok((TcpStream::new(stream)?, peer))
        })
    }
    // ANCHOR_END: poll_accept

    /// A stream of all connections.
    ///
    /// # Panics
    ///
    /// If there is no runtime for the calling thread.
    pub fn incoming(self) -> Incoming {
        Incoming::new(self)
    }
}
