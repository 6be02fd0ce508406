//! Reads frames from a connection and passes them on. Whoever takes them slowly slows the client down.

use std::{
    io,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use futures::{Stream, StreamExt, stream};
use tokio::{
    io::{
        AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, duplex,
        split,
    },
    sync::mpsc,
    task::JoinHandle,
    time::{sleep, timeout},
};

/// After this long without a frame, the server asks whether the client is still there.
const QUIET: Duration = Duration::from_secs(30);
/// An empty frame.
const PING: &[u8] = &[0, 0];

type Frame = Vec<u8>;

/// The frames of a connection. Each is preceded by its length, a number of two bytes.
// ANCHOR: frames
fn frames(socket: impl AsyncRead + Unpin) -> impl Stream<Item = io::Result<Frame>> {
    stream::try_unfold(BufReader::new(socket), |mut socket| async move {
        if socket.fill_buf().await?.is_empty() {
            return Ok(None); // the client has closed it, and not inside a frame
        }
        let length = socket.read_u16().await?;
        let mut frame = vec![0; length.into()];
        socket.read_exact(&mut frame).await?;
        Ok(Some((frame, socket)))
    })
}

async fn serve<S>(socket: S, work: mpsc::Sender<Frame>) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite,
{
    let (reader, mut writer) = split(socket);
    let mut frames = pin!(frames(reader));
    loop {
        match timeout(QUIET, frames.next()).await {
            Ok(Some(frame)) => {
                if work.send(frame?).await.is_err() {
                    return Ok(()); // nobody takes frames any more
                }
            }
            Ok(None) => return Ok(()),
            Err(_) => writer.write_all(PING).await?,
        }
    }
}
// ANCHOR_END: frames

const FRAMES: usize = 100;

/// A client that sends as fast as it may, and how many frames it has written so far.
fn busy_client(mut socket: impl AsyncWrite + Send + Unpin + 'static) -> Arc<AtomicUsize> {
    let written = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&written);
    tokio::spawn(async move {
        for _ in 0..FRAMES {
            socket.write_all(b"\0\x0e14 bytes of it").await?;
            count.fetch_add(1, Relaxed);
        }
        io::Result::Ok(())
    });
    written
}

/// A server and its client. The connection has room for four frames, and the channel for two.
fn start() -> (
    JoinHandle<io::Result<()>>,
    Arc<AtomicUsize>,
    mpsc::Receiver<Frame>,
) {
    let (client, server) = duplex(64);
    let (work, frames) = mpsc::channel(2);
    (
        tokio::spawn(serve(server, work)),
        busy_client(client),
        frames,
    )
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() -> io::Result<()> {
    println!("A client writes {FRAMES} frames as fast as it can");
    let (server, written, mut work) = start();
    let mut taken = 0;
    for wanted in [0, 1, 2, 50, FRAMES] {
        while taken < wanted {
            taken += usize::from(work.recv().await.is_some());
        }
        sleep(Duration::from_secs(600)).await; // of a paused clock, so it takes no time
        println!("taken: {taken:3}, written: {:3}", written.load(Relaxed));
    }
    drop(work);
    server.await?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next frame, or `None` at the end. The clock is paused, so a frame that never arrives fails the test at once.
    async fn take(work: &mut mpsc::Receiver<Frame>) -> Option<Frame> {
        let next = timeout(2 * QUIET, work.recv());
        next.await.expect("a frame or the end arrives in time")
    }

    #[tokio::test(start_paused = true)]
    async fn the_client_writes_no_more_than_there_is_room_for() {
        let (server, written, mut work) = start();
        sleep(Duration::from_secs(600)).await;
        assert_eq!(written.load(Relaxed), 8);
        for _ in 0..FRAMES {
            assert_eq!(take(&mut work).await.unwrap(), b"14 bytes of it");
        }
        assert_eq!(written.load(Relaxed), FRAMES);
        assert_eq!(take(&mut work).await, None);
        server.await.unwrap().unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_ping_in_the_middle_of_a_frame_loses_nothing() {
        let (mut client, server) = duplex(64);
        let (work, mut frames) = mpsc::channel(2);
        tokio::spawn(serve(server, work));
        client.write_all(b"\0\x0ahalf ").await.unwrap();
        sleep(QUIET * 5 / 2).await;
        client.write_all(b"a frame").await.unwrap();
        assert_eq!(take(&mut frames).await.unwrap(), b"half a fra");
        let mut pings = [1; 4];
        client.read_exact(&mut pings).await.unwrap();
        assert_eq!(pings, [0; 4]);
    }

    #[tokio::test]
    async fn only_an_end_between_two_frames_is_no_error() {
        for (sent, ends_well) in [(4, true), (3, false), (1, false), (0, true)] {
            let mut frames = pin!(frames(&b"\0\x02hi"[..sent]));
            let first = frames.next().await;
            assert_eq!(first.is_none_or(|frame| frame.is_ok()), ends_well);
            assert!(frames.next().await.is_none());
        }
    }
}
