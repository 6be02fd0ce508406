//! Stage 10 with two workers, in each of its versions.

use std::{future::Future, io, marker::PhantomData, net::SocketAddr, time::Duration};

use step10_work_stealing::{
    JoinHandle, Version,
    hyper_rt::Io,
    net::{TcpListener, TcpStream},
    spawn,
    time::sleep,
    yield_now,
};

use crate::runtime::{Joined, Net, Runtime, Sleep, Spawn};

/// Which version.
pub(crate) trait Which: 'static {
    const VERSION: Version;
}

pub(crate) struct Shared;
pub(crate) struct Local;
pub(crate) struct Stealing;
pub(crate) struct Lifo;
pub(crate) struct Whole;

impl Which for Shared {
    const VERSION: Version = Version::SharedQueue;
}

impl Which for Local {
    const VERSION: Version = Version::LocalQueues;
}

impl Which for Stealing {
    const VERSION: Version = Version::Stealing;
}

impl Which for Lifo {
    const VERSION: Version = Version::LifoSlot;
}

impl Which for Whole {
    const VERSION: Version = Version::Budget;
}

pub(crate) struct Step10<W> {
    runtime: step10_work_stealing::Runtime,
    version: PhantomData<W>,
}

impl<W: Which> Runtime for Step10<W> {
    type Spawner = Spawner;

    fn start() -> Self {
        Step10 {
            runtime: step10_work_stealing::Runtime::with_version(2, W::VERSION),
            version: PhantomData,
        }
    }

    fn block_on<F>(&mut self, main: impl FnOnce(Spawner) -> F) -> F::Output
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        self.runtime.block_on(main(Spawner))
    }

    fn yield_now() -> impl Future<Output = ()> + Send {
        yield_now()
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

impl<W: Which> Sleep for Step10<W> {
    fn sleep(duration: Duration) -> impl Future<Output = ()> + Send {
        sleep(duration)
    }
}

impl<W: Which> Net for Step10<W> {
    type Listener = TcpListener;
    type Stream = TcpStream;
    type Io = Io;

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

    fn io(stream: TcpStream) -> Io {
        Io::new(stream)
    }
}
