//! The same echo server on versions 1 to 3, and on tokio.

use std::{
    future::{Future, poll_fn},
    io::{self, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    pin::pin,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use futures::{AsyncReadExt, AsyncWriteExt};
use step09_epoll_reactor::{Reactor, Runtime, net, spawn, v1_by_hand, v2_epoll::Epoll};

/// What [`serve`] takes for a version.
pub const VERSIONS: [&str; 4] = ["1", "2", "3", "tokio"];

/// The echoes that the server has sent.
static SERVED: AtomicUsize = AtomicUsize::new(0);

/// The number of the message that the server waits for, or 0 before it waits for the first.
static AWAITED: AtomicUsize = AtomicUsize::new(0);

/// Serves so many echoes to a client on another thread, which sends each message when the server waits for it. So what
/// the server asks of the system does not depend on which of them is faster. To be called once in a process.
///
/// # Errors
///
/// If there is no such version, and those of the system.
pub fn serve(version: &str, echoes: usize) -> io::Result<()> {
    match version {
        "1" => version_1(echoes),
        "2" => version_2_or_3(Runtime::with_reactor(Reactor::new(Epoll::new()?)), echoes),
        "3" => version_2_or_3(Runtime::new()?, echoes),
        "tokio" => on_tokio(echoes),
        _ => Err(io::Error::other(format!(
            "{version:?} is not one of {VERSIONS:?}"
        ))),
    }
}

fn version_1(echoes: usize) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    connect(listener.local_addr()?, echoes)?;
    let (mut stream, _) = listener.accept()?;
    let (epoll, mut input) = v1_by_hand::open(stream.try_clone()?)?;
    Runtime::with_park(epoll).block_on(noting_when_it_waits(async {
        let mut buffer = [0; 64];
        loop {
            match input.read(&mut buffer).await? {
                0 => return Ok(()),
                length => stream.write_all(&buffer[..length])?,
            }
            SERVED.fetch_add(1, Ordering::Release);
        }
    }))
}

fn version_2_or_3(mut runtime: Runtime, echoes: usize) -> io::Result<()> {
    runtime.block_on(async {
        let mut listener = net::TcpListener::bind(([127, 0, 0, 1], 0))?;
        connect(listener.local_addr()?, echoes)?;
        let (mut stream, _) = listener.accept().await?;
        let server = spawn(noting_when_it_waits(async move {
            let mut buffer = [0; 64];
            loop {
                match stream.read(&mut buffer).await? {
                    0 => return Ok(()),
                    length => stream.write_all(&buffer[..length]).await?,
                }
                SERVED.fetch_add(1, Ordering::Release);
            }
        }));
        server.await.map_err(io::Error::other)?
    })
}

fn on_tokio(echoes: usize) -> io::Result<()> {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        connect(listener.local_addr()?, echoes)?;
        let (mut stream, _) = listener.accept().await?;
        let server = tokio::spawn(noting_when_it_waits(async move {
            let mut buffer = [0; 64];
            loop {
                match stream.read(&mut buffer).await? {
                    0 => return Ok(()),
                    length => stream.write_all(&buffer[..length]).await?,
                }
                SERVED.fetch_add(1, Ordering::Release);
            }
        }));
        server.await.map_err(io::Error::other)?
    })
}

/// Notes after each poll that found nothing to read that the next message may come.
async fn noting_when_it_waits(server: impl Future<Output = io::Result<()>>) -> io::Result<()> {
    let mut server = pin!(server);
    poll_fn(|cx| {
        let result = server.as_mut().poll(cx);
        if result.is_pending() {
            AWAITED.store(SERVED.load(Ordering::Acquire) + 1, Ordering::Release);
        }
        result
    })
    .await
}

/// Starts the client, and waits until it has a connection.
fn connect(address: SocketAddr, echoes: usize) -> io::Result<()> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || match TcpStream::connect(address) {
        Ok(stream) => {
            let _ = sender.send(Ok(()));
            // If it fails, the server does: the stream is closed, and not all echoes are served.
            let _ = talk(stream, echoes);
        }
        Err(error) => drop(sender.send(Err(error))),
    });
    receiver.recv().map_err(io::Error::other)?
}

fn talk(mut stream: TcpStream, echoes: usize) -> io::Result<()> {
    for message in 1..=echoes {
        when_awaited(message);
        stream.write_all(b"hello")?;
        stream.read_exact(&mut [0; 5])?;
    }
    when_awaited(echoes + 1);
    Ok(())
}

fn when_awaited(message: usize) {
    while AWAITED.load(Ordering::Acquire) < message {
        thread::sleep(Duration::from_millis(1));
    }
}
