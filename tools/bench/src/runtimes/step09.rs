//! Stage 09: one thread that sleeps in the kernel, for timers and sockets at once.

use std::{future::Future, io, net::SocketAddr, time::Duration};

use step09_epoll_reactor::{
    JoinHandle,
    net::{TcpListener, TcpStream},
    sleep, spawn,
};

use super::hyper_io::HyperIo;
use crate::runtime::{Joined, Net, Runtime, Sleep, Spawn};

pub(crate) struct Step09(step09_epoll_reactor::Runtime);

impl Runtime for Step09 {
    type Spawner = Spawner;

    fn start() -> Step09 {
        let started = step09_epoll_reactor::Runtime::new();
        Step09(started.expect("descriptors for the runtime"))
    }

    fn block_on<F>(&mut self, main: impl FnOnce(Spawner) -> F) -> F::Output
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        self.0.block_on(main(Spawner))
    }
}

/// The free function `spawn`.
#[derive(Clone)]
pub(crate) struct Spawner;

impl Spawn for Spawner {
    type Join<T: Send + 'static> = Joined<JoinHandle<T>>;

    fn spawn<T, F>(&self, future: F) -> Self::Join<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        Joined(spawn(future))
    }

    fn detach<F: Future<Output = ()> + Send + 'static>(&self, future: F) {
        drop(spawn(future));
    }
}

impl Sleep for Step09 {
    fn sleep(duration: Duration) -> impl Future<Output = ()> + Send {
        sleep(duration)
    }
}

impl Net for Step09 {
    type Listener = TcpListener;
    type Stream = TcpStream;
    type Io = HyperIo<TcpStream>;

    async fn listen(address: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
        let listener = TcpListener::bind(address)?;
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
