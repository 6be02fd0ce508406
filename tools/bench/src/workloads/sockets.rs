//! What a round trip over TCP costs. The clients are tasks on the same runtime as the servers.

use std::{convert::Infallible, io};

use futures::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use hyper::{Response, server::conn::http1, service::service_fn};

use crate::{
    measure::{Clock, Figures, Size},
    runtime::Net,
};

const BYTES: usize = 64;
const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
const BODY: &str = "Hello, World!";

/// A server that echoes.
pub(super) fn echo<R: Net>(size: Size) -> Figures {
    let (connections, trips) = (size.of(64, 64, 4), size.of(2000, 200, 5));
    run::<R, _>(connections, trips, |(client, server)| {
        R::detach(serve_echo(server));
        R::spawn(ask_for_echo(client, trips))
    })
}

/// hyper answers requests. The clients write HTTP by hand, so that most of what is measured is the server.
pub(super) fn http<R: Net>(size: Size) -> Figures {
    let (connections, requests) = (size.of(32, 32, 2), size.of(1000, 100, 3));
    run::<R, _>(connections, requests, |(client, server)| {
        R::detach(serve_http::<R>(server));
        R::spawn(ask_hyper(client, requests))
    })
}

fn run<R: Net, C: Future<Output = io::Result<()>>>(
    connections: usize,
    trips: usize,
    talk: impl Fn((R::Stream, R::Stream)) -> C,
) -> Figures {
    let all = async {
        let pairs = R::connected(connections).await?;
        let clock = Clock::start();
        for client in pairs.into_iter().map(talk).collect::<Vec<_>>() {
            client.await?;
        }
        io::Result::Ok(clock.stop(connections * trips, 0.0))
    };
    R::start(2).block_on(all).expect("open connections")
}

async fn serve_echo<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S) {
    let mut buffer = [0; BYTES];
    // The end of a connection is no fault: the client has what it wanted.
    while stream.read_exact(&mut buffer).await.is_ok() {
        if stream.write_all(&buffer).await.is_err() {
            return;
        }
    }
}

async fn ask_for_echo(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    trips: usize,
) -> io::Result<()> {
    for trip in 0..trips {
        let (sent, mut received) = ([trip as u8; BYTES], [0; BYTES]);
        stream.write_all(&sent).await?;
        stream.read_exact(&mut received).await?;
        assert_eq!(sent, received);
    }
    Ok(())
}

async fn serve_http<R: Net>(stream: R::Stream) {
    let hello = service_fn(|_| async { Ok::<_, Infallible>(Response::new(BODY.to_owned())) });
    // As above.
    let _ = http1::Builder::new()
        .serve_connection(R::io(stream), hello)
        .await;
}

/// Sends this many requests, one after the other.
async fn ask_hyper(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    requests: usize,
) -> io::Result<()> {
    let mut buffer = [0; 1024];
    for _ in 0..requests {
        stream.write_all(REQUEST).await?;
        let mut length = 0;
        while !buffer[..length].ends_with(BODY.as_bytes()) {
            match stream.read(&mut buffer[length..]).await? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => length += count,
            }
        }
        assert!(buffer.starts_with(b"HTTP/1.1 200 OK\r\n"));
    }
    Ok(())
}
