//! What a round trip over TCP costs. The clients are tasks on the same runtime as the servers.

use std::{convert::Infallible, future::Future, io};

use futures::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use hyper::{Response, server::conn::http1, service::service_fn};

use crate::{
    measure::{Answer, Clock, Figures, Size, check},
    runtime::Net,
};

const BYTES: usize = 64;
const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
const BODY: &str = "Hello, World!";

/// A server that echoes.
pub(super) fn echo<R: Net>(size: Size) -> Answer {
    let (connections, trips) = (size.of(64, 64, 4), size.of(2000, 200, 5));
    run::<R, _, _>(connections, trips, serve_echo, ask_for_echo)
}

/// hyper answers requests. The clients write HTTP by hand, so that most of what is measured is the server.
pub(super) fn http<R: Net>(size: Size) -> Answer {
    let (connections, requests) = (size.of(32, 32, 2), size.of(1000, 100, 3));
    run::<R, _, _>(connections, requests, serve_http::<R>, ask_hyper)
}

fn run<R, S, C>(
    connections: usize,
    trips: usize,
    serve: impl Fn(R::Stream) -> S,
    ask: impl Fn(R::Stream, usize) -> C,
) -> Answer
where
    R: Net,
    S: Future<Output = ()> + Send + 'static,
    C: Future<Output = io::Result<usize>> + Send + 'static,
{
    let all = async {
        let pairs = R::connected(connections).await?;
        let clock = Clock::start();
        let mut clients = Vec::with_capacity(connections);
        for (client, server) in pairs {
            R::detach(serve(server));
            clients.push(R::spawn(ask(client, trips)));
        }
        let mut done = 0;
        for client in clients {
            done += client.await?;
        }
        io::Result::Ok((clock.stop(connections * trips), done))
    };
    let ran: io::Result<(Figures, usize)> = R::start(2).block_on(all);
    let (figures, done) = ran.map_err(|error| error.to_string())?;
    check(done, connections * trips)?;
    Ok(figures)
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

/// Counts the right answers.
async fn ask_for_echo<S>(mut stream: S, trips: usize) -> io::Result<usize>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut done = 0;
    for trip in 0..trips {
        let sent = [trip as u8; BYTES];
        stream.write_all(&sent).await?;
        let mut received = [0; BYTES];
        stream.read_exact(&mut received).await?;
        done += usize::from(sent == received);
    }
    Ok(done)
}

async fn serve_http<R: Net>(stream: R::Stream) {
    let hello = service_fn(|_| async { Ok::<_, Infallible>(Response::new(BODY.to_owned())) });
    let connection = http1::Builder::new().serve_connection(R::io(stream), hello);
    // As above.
    let _ = connection.await;
}

/// Sends this many requests, one after the other, and counts the right answers.
async fn ask_hyper<S>(mut stream: S, requests: usize) -> io::Result<usize>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (mut buffer, mut done) = ([0; 1024], 0);
    for _ in 0..requests {
        stream.write_all(REQUEST).await?;
        let mut length = 0;
        while !buffer[..length].ends_with(BODY.as_bytes()) {
            match stream.read(&mut buffer[length..]).await? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => length += count,
            }
        }
        done += usize::from(buffer.starts_with(b"HTTP/1.1 200 OK\r\n"));
    }
    Ok(done)
}
