//! A `tokio::select!` in a loop, one branch of which has read half a message when the other is ready.

use std::io;

use futures::{executor::block_on, future::join};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
    sync::mpsc,
};

use crate::{Exhibit, Fails, props::yields};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "half-a-message",
    title: "`select!` drops a `read_exact` that has taken two bytes of four",
    was_in: "n0-computer/iroh before its #2572; nteract before its #2182, which then read a length of 538976288 \
             (four spaces)",
    breaks: "a future that `select!` drops in a loop is cancel safe: dropping it before it is ready loses nothing",
    chapter: 6,
    fails: Fails::Prints("received: [\"ngpo\"]"),
    why: "the tick comes while `read_exact` waits for two more bytes. `select!` drops it, and the two that it has \
          taken are gone, so the next call begins in the middle of a message. In the fixed version, the reader \
          keeps what it has read, and `read_buf` takes bytes only when it returns.",
    passes: "received: [\"ping\", \"pong\"]",
    broken: || show(next_broken),
    repaired: || show(next_repaired),
};

struct Reader {
    socket: DuplexStream,
    bytes: Vec<u8>,
}

// ANCHOR: broken
async fn next_broken(reader: &mut Reader) -> io::Result<Vec<u8>> {
    let mut message = vec![0; 4];
    reader.socket.read_exact(&mut message).await?;
    Ok(message)
}
// ANCHOR_END: broken

// ANCHOR: repaired
async fn next_repaired(reader: &mut Reader) -> io::Result<Vec<u8>> {
    while reader.bytes.len() < 4 {
        if reader.socket.read_buf(&mut reader.bytes).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(reader.bytes.drain(..4).collect())
}
// ANCHOR_END: repaired

/// The peer writes half a message, the tick comes, and then the peer writes the rest and another message.
fn show(next: impl AsyncFn(&mut Reader) -> io::Result<Vec<u8>>) {
    let (socket, mut peer) = duplex(64);
    let (tick, mut ticks) = mpsc::channel(1);
    let (bytes, mut received) = (Vec::new(), Vec::new());
    let mut reader = Reader { socket, bytes };
    let receives = async {
        loop {
            tokio::select! {
                message = next(&mut reader) => match message {
                    Ok(message) => received.push(String::from_utf8_lossy(&message).into_owned()),
                    Err(_) => break, // the end
                },
                Some(()) = ticks.recv() => {} // a heartbeat would be sent here
            }
        }
    };
    let sends = async move {
        peer.write_all(b"pi").await.unwrap();
        yields(1).await;
        tick.send(()).await.unwrap();
        yields(1).await;
        peer.write_all(b"ngpong").await.unwrap();
    };
    block_on(join(receives, sends));
    println!("received: {received:?}");
}
