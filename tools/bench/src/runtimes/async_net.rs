//! The timers and sockets of async-io, which smol uses and which run beside any executor.

use std::{io, net::SocketAddr, time::Duration};

use smol::{
    Timer,
    net::{TcpListener, TcpStream},
};

use super::hyper_io::HyperIo;
use crate::runtime::{Net, Runtime, Sleep};

/// A runtime that has none of its own.
pub(crate) trait OnAsyncIo: Runtime {}

impl<R: OnAsyncIo> Sleep for R {
    async fn sleep(duration: Duration) {
        Timer::after(duration).await;
    }
}

impl<R: OnAsyncIo> Net for R {
    type Listener = TcpListener;
    type Stream = TcpStream;
    type Io = HyperIo<TcpStream>;

    async fn listen(address: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    }

    async fn accept(listener: &mut TcpListener) -> io::Result<TcpStream> {
        let (stream, _peer) = listener.accept().await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    async fn connect(address: SocketAddr) -> io::Result<TcpStream> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    fn io(stream: TcpStream) -> HyperIo<TcpStream> {
        HyperIo::new(stream)
    }
}
