//! What hyper gets: reads and writes on a real socket, timers and tasks.

#![cfg(not(any(miri, loom)))]

use std::{
    future::poll_fn,
    io::{self, IoSlice},
    mem::MaybeUninit,
    pin::Pin,
    time::{Duration, Instant},
};

use futures::{
    AsyncReadExt, AsyncWriteExt, FutureExt,
    channel::oneshot,
    future::{Either, select},
};
use hyper::rt::{Executor as _, Read, ReadBuf, Timer as _, Write};
use probe::within;
use step10_work_stealing::{
    Runtime,
    hyper_rt::{Executor, Io, Timer},
    net::{TcpListener, TcpStream},
};

const TOO_LONG: Duration = Duration::from_secs(30);

/// Both ends of a connection.
async fn pair() -> io::Result<(Io, TcpStream)> {
    let mut listener = TcpListener::bind(([127, 0, 0, 1], 0))?;
    let peer = TcpStream::connect(listener.local_addr()?).await?;
    Ok((Io::new(listener.accept().await?.0), peer))
}

/// Reads once, into a buffer of this length that nobody has initialized.
async fn read(io: &mut Io, length: usize) -> io::Result<Vec<u8>> {
    let mut buffer = vec![MaybeUninit::uninit(); length];
    let mut buffer = ReadBuf::uninit(&mut buffer);
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
fn a_read_takes_what_is_there_and_no_more_than_there_is_room_for() {
    test(async {
        let (mut io, mut peer) = pair().await?;
        assert!(read(&mut io, 8).now_or_never().is_none());
        peer.write_all(b"hello, world").await?;
        assert_eq!(read(&mut io, 5).await?, b"hello");
        assert_eq!(read(&mut io, 100).await?, b", world");
        assert!(read(&mut io, 8).now_or_never().is_none());
        peer.close().await?;
        assert_eq!(read(&mut io, 8).await?, b"");
        Ok(())
    });
}

#[test]
fn a_read_keeps_what_was_read_before() {
    test(async {
        let (mut io, mut peer) = pair().await?;
        peer.write_all(b"world").await?;
        let mut buffer = [MaybeUninit::uninit(); 12];
        let mut buffer = ReadBuf::uninit(&mut buffer);
        buffer.unfilled().put_slice(b"hello, ");
        poll_fn(|cx| Pin::new(&mut io).poll_read(cx, buffer.unfilled())).await?;
        assert_eq!(buffer.filled(), b"hello, world");
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
        let mut sent = 0;
        let mut received = Vec::new();
        while sent < long.len() {
            let count = match sent {
                0 => write_parts(&mut io, &[first, second, b"more"]).await?,
                _ => poll_fn(|cx| Pin::new(&mut io).poll_write(cx, &long[sent..])).await?,
            };
            assert!(count > 0);
            sent += count;
            let mut part = vec![0; count];
            peer.read_exact(&mut part).await?;
            received.extend(part);
        }
        assert!(received == long);
        Ok(())
    });
}

#[test]
fn errors_of_the_connection_are_passed_on() {
    test(async {
        let (mut io, mut peer) = pair().await?;
        // Closing it with something unread resets it.
        poll_fn(|cx| Pin::new(&mut io).poll_write(cx, b"unread")).await?;
        let mut first = [0];
        peer.read_exact(&mut first).await?;
        drop(peer);
        let error = read(&mut io, 8).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
        Ok(())
    });
}

#[test]
fn the_connection_comes_out_again() {
    test(async {
        let (io, mut peer) = pair().await?;
        io.into_inner().write_all(b"x").await?;
        let mut received = String::new();
        peer.read_to_string(&mut received).await?;
        assert_eq!(received, "x");
        Ok(())
    });
}

#[test]
fn a_timer_is_never_early_and_takes_deadlines_that_have_passed() {
    test(async {
        let start = Instant::now();
        let time = Duration::from_millis(10);
        Timer.sleep(time).await;
        assert!(start.elapsed() >= time);
        Timer.sleep_until(start).await;
        Timer.sleep_until(start + 2 * time).await;
        assert!(start.elapsed() >= 2 * time);
        Ok(())
    });
}

#[test]
fn a_timer_can_be_reset() {
    test(async {
        let mut sleep = Timer.sleep(Duration::from_secs(3600));
        assert!(sleep.as_mut().now_or_never().is_none());
        Timer.reset(&mut sleep, Instant::now());
        sleep.await;
        Ok(())
    });
}

#[test]
fn the_executor_runs_tasks_and_detaches_them() {
    test(async {
        let (sender, receiver) = oneshot::channel();
        Executor.execute(async move {
            let limit = Timer.sleep(Duration::from_millis(1));
            match select(receiver, limit).await {
                Either::Left((received, _)) => received,
                Either::Right(((), receiver)) => receiver.await,
            }
        });
        let (done, is_done) = oneshot::channel();
        Executor.execute(async move { done.send(()) });
        is_done.await.unwrap();
        // The first task still runs.
        assert_eq!(sender.send(7), Ok(()));
        Ok(())
    });
}
