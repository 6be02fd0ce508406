//! What an echo costs, by the place where the executor sleeps.

use std::{
    io::{self, Read},
    net, thread,
};

use futures::{
    AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, TryStreamExt, channel::mpsc, io::AllowStdIo,
};
use step09_epoll_reactor::{
    Parker, Runtime, Selector,
    net::{TcpListener, TcpStream},
    spawn,
    v3_polling::Polling,
};

use super::counted::{Asked, Counted};

const ECHOES: usize = 100;

/// Sends a byte back and forth between two tasks of one runtime, in each version that can wait for both of them.
pub fn show() -> io::Result<()> {
    println!(
        "2. A byte goes to another task and comes back, {ECHOES} times: what the kernel is asked, by where the executor sleeps"
    );
    parker()?;
    #[cfg(target_os = "linux")]
    {
        println!("   version 1, epoll for one descriptor: a connection has two");
        let epoll = step09_epoll_reactor::v2_epoll::Epoll::new()?;
        selector("version 2, epoll:            ", epoll)?;
    }
    selector("version 3, the crate polling:", Polling::new()?)?;
    println!("   Version 3 gets one event per such call. Only another thread's wake ends a wait.");
    Ok(())
}

/// A condition variable cannot wait for sockets. So a thread waits for each, and wakes the executor.
fn parker() -> io::Result<()> {
    let listener = net::TcpListener::bind("127.0.0.1:0")?;
    let client = net::TcpStream::connect(listener.local_addr()?)?;
    let (server, _) = listener.accept()?;
    let sockets = [client, server].map(|socket| {
        let reader = by_a_thread(socket.try_clone()?);
        io::Result::Ok((reader, AllowStdIo::new(socket)))
    });
    let threads = sockets.len();
    let [client, server] = sockets;
    let mut runtime = Runtime::with_park(Parker::default());
    runtime.block_on(ping_pong(client?, server?, || ()))?;
    println!("   version 0, a condition variable, knows no sockets: {threads} threads read for it");
    Ok(())
}

/// What a thread reads from a socket.
fn by_a_thread(mut stream: net::TcpStream) -> impl AsyncRead + Unpin + Send {
    let (sender, receiver) = mpsc::unbounded();
    thread::spawn(move || {
        let mut buffer = [0; 64];
        loop {
            let read = stream.read(&mut buffer);
            let more = matches!(read, Ok(1..));
            let read = read.map(|length| buffer[..length].to_vec());
            if sender.unbounded_send(read).is_err() || !more {
                return;
            }
        }
    });
    receiver.into_async_read()
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
        notifies,
        ..
    } = asked;
    println!(
        "   {name} {waits} waits, {events} events, \
         {arms:3} calls to ask for the next event, {notifies} to end a wait"
    );
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
