//! What an echo costs, by the selector in which the executor sleeps.

use std::io;

use futures::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use step09_epoll_reactor::{
    Selector,
    net::{TcpListener, TcpStream},
    spawn,
    v3_polling::Polling,
};

use super::counted::{Asked, Counted};

const ECHOES: usize = 100;

/// Sends a byte back and forth between two tasks of one runtime, with each selector.
pub fn show() -> io::Result<()> {
    println!(
        "2. A byte goes to another task and comes back, {ECHOES} times. What is the kernel asked?"
    );
    #[cfg(target_os = "linux")]
    {
        let epoll = step09_epoll_reactor::v2_epoll::Epoll::new()?;
        selector("version 2, epoll:            ", epoll)?;
    }
    selector("version 3, the crate polling:", Polling::new()?)?;
    println!(
        "   Each way takes a wait and an event. polling has to be asked again after each event,"
    );
    println!("   whereas epoll was asked at the start.");
    Ok(())
}

fn selector(name: &str, selector: impl Selector + 'static) -> io::Result<()> {
    let (mut runtime, calls) = Counted::runtime(selector);
    let asked = runtime.block_on(async {
        let mut listener = TcpListener::bind(([127, 0, 0, 1], 0))?;
        let client = TcpStream::connect(listener.local_addr()?).await?;
        let (server, _) = listener.accept().await?;
        let [before, after] = ping_pong(client.split(), server.split(), || calls.so_far()).await?;
        io::Result::Ok(after - before)
    })?;
    let Asked {
        waits,
        events,
        arms,
        ..
    } = asked;
    println!("   {name} {waits} waits, {events} events, {arms:3} calls to ask for the next event");
    Ok(())
}

/// Returns what `count` says before and after the echoes.
async fn ping_pong<R, W, T>(
    client: (R, W),
    server: (R, W),
    count: impl Fn() -> T,
) -> io::Result<[T; 2]>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (mut reader, mut writer) = server;
    spawn(async move { futures::io::copy(&mut reader, &mut writer).await });
    let (mut reader, mut writer) = client;
    // One more in advance, because the server is only now polled for the first time, and finds the byte without a wait.
    echo(&mut reader, &mut writer).await?;
    let before = count();
    for _ in 0..ECHOES {
        echo(&mut reader, &mut writer).await?;
    }
    Ok([before, count()])
}

async fn echo(
    reader: &mut (impl AsyncRead + Unpin),
    writer: &mut (impl AsyncWrite + Unpin),
) -> io::Result<()> {
    writer.write_all(b"a").await?;
    reader.read_exact(&mut [0]).await
}
