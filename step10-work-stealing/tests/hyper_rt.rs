//! What hyper gets: reads and writes on a real socket, and timers. hyper itself is in `http/`.

#![cfg(not(any(miri, loom)))]

use std::{
    future::{Future, poll_fn},
    io::{self, IoSlice},
    mem::MaybeUninit,
    pin::Pin,
    time::{Duration, Instant},
};

use adapter::{Executor, Io, Timer};
use futures::{AsyncReadExt, AsyncWriteExt, FutureExt, channel::oneshot};
use hyper::rt::{Executor as _, Read, ReadBuf, Timer as _, Write};
use probe::within;
use step10_work_stealing::{
    Runtime,
    net::{TcpListener, TcpStream},
};

#[path = "../examples/http/hyper_rt.rs"]
mod adapter;

const TOO_LONG: Duration = Duration::from_secs(30);

/// Both ends of a connection.
async fn pair() -> io::Result<(Io, TcpStream)> {
    let mut listener = TcpListener::bind(([127, 0, 0, 1], 0))?;
    let peer = TcpStream::connect(listener.local_addr()?).await?;
    Ok((Io::new(listener.accept().await?.0), peer))
}

/// Reads once, behind `>` and into a buffer of this length that nobody has initialized.
async fn read(io: &mut Io, length: usize) -> io::Result<Vec<u8>> {
    let mut buffer = vec![MaybeUninit::uninit(); 1 + length];
    let mut buffer = ReadBuf::uninit(&mut buffer);
    buffer.unfilled().put_slice(b">");
    poll_fn(|cx| Pin::new(&mut *io).poll_read(cx, buffer.unfilled())).await?;
    Ok(buffer.filled().to_vec())
}

async fn write_parts(io: &mut Io, parts: &[&[u8]]) -> io::Result<usize> {
    let parts: Vec<_> = parts.iter().map(|part| IoSlice::new(part)).collect();
    poll_fn(|cx| Pin::new(&mut *io).poll_write_vectored(cx, &parts)).await
}

fn test<T>(test: impl Future<Output = io::Result<T>>) -> T {
    within(TOO_LONG, || Runtime::new(1).block_on(test).unwrap())
}

#[test]
fn a_read_takes_what_there_is_and_there_is_room_for() {
    test(async {
        let (mut io, mut peer) = pair().await?;
        assert!(read(&mut io, 8).now_or_never().is_none());
        peer.write_all(b"hello, world").await?;
        assert_eq!(read(&mut io, 5).await?, b">hello");
        assert_eq!(read(&mut io, 100).await?, b">, world");
        peer.close().await?;
        assert_eq!(read(&mut io, 8).await?, b">");
        Ok(())
    });
}

#[test]
fn parts_are_written_together_and_in_their_order() {
    test(async {
        let (mut io, mut peer) = pair().await?;
        assert!(io.is_write_vectored());
        let parts: [&[u8]; 5] = [b"he", b"", b"ll", b"o", b""];
        assert_eq!(write_parts(&mut io, &parts).await?, 5);
        assert_eq!(write_parts(&mut io, &[b"", b", world"]).await?, 7);
        assert_eq!(write_parts(&mut io, &[b"", b""]).await?, 0);
        poll_fn(|cx| Pin::new(&mut io).poll_flush(cx)).await?;
        poll_fn(|cx| Pin::new(&mut io).poll_shutdown(cx)).await?;
        let mut received = String::new();
        peer.read_to_string(&mut received).await?;
        assert_eq!(received, "hello, world");
        Ok(())
    });
}

#[test]
fn of_parts_that_are_too_long_the_beginning_is_written() {
    test(async {
        let (mut io, mut peer) = pair().await?;
        let long: Vec<_> = (0..100_000_u32).flat_map(u32::to_ne_bytes).collect();
        let (first, second) = long.split_at(1_000);
        let count = write_parts(&mut io, &[first, second, b"more"]).await?;
        assert!(first.len() < count && count < long.len(), "{count}");
        let mut received = vec![0; count];
        peer.read_exact(&mut received).await?;
        assert!(received == long[..count]);
        Ok(())
    });
}

#[test]
fn errors_of_the_connection_are_passed_on() {
    test(async {
        let (mut io, mut peer) = pair().await?;
        // Closing it with something unread resets it.
        poll_fn(|cx| Pin::new(&mut io).poll_write(cx, b"unread")).await?;
        peer.read_exact(&mut [0]).await?;
        drop(peer);
        let error = read(&mut io, 8).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
        Ok(())
    });
}

#[test]
fn a_timer_of_a_task_is_never_early() {
    test(async {
        let (time, start) = (Duration::from_millis(10), Instant::now());
        let (done, is_done) = oneshot::channel();
        Executor.execute(async move {
            Timer.sleep_until(start + time).await;
            done.send(start.elapsed())
        });
        assert!(is_done.await.unwrap() >= time);
        Timer.sleep_until(start).await;
        Ok(())
    });
}
