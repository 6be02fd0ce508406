//! hyper answers requests on connections that are kept alive. The clients are tasks on the same runtime, and write HTTP by
//! hand, so that most of what is measured is the server.

use std::{convert::Infallible, io};

use futures::io::{AsyncReadExt, AsyncWriteExt};
use hyper::{Response, server::conn::http1, service::service_fn};

use super::echo::connected;
use crate::{
    measure::{Answer, Clock, Figures, Size, check},
    runtime::{Net, Spawn},
};

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
const BODY: &str = "Hello, World!";

pub(super) fn run<R: Net>(size: Size) -> Answer {
    let (connections, requests) = (size.of(32, 32, 2), size.of(1000, 100, 3));
    let mut runtime = R::start();
    let (figures, done) = runtime
        .block_on(|spawner| all::<R>(spawner, connections, requests))
        .map_err(|error| error.to_string())?;
    check("the answers", done, connections * requests)?;
    Ok(figures)
}

async fn all<R: Net>(
    spawner: R::Spawner,
    connections: usize,
    requests: usize,
) -> io::Result<(Figures, usize)> {
    let pairs = connected::<R>(connections).await?;
    let clock = Clock::start();
    let mut clients = Vec::with_capacity(connections);
    for (client, server) in pairs {
        spawner.detach(serve::<R>(server));
        clients.push(spawner.spawn(ask(client, requests)));
    }
    let mut done = 0;
    for client in clients {
        done += client.await?;
    }
    Ok((clock.stop(connections * requests), done))
}

async fn serve<R: Net>(stream: R::Stream) {
    let hello = service_fn(|_| async { Ok::<_, Infallible>(Response::new(BODY.to_owned())) });
    let connection = http1::Builder::new().serve_connection(R::io(stream), hello);
    // The end of a connection is no fault: the client has what it wanted.
    let _ = connection.await;
}

/// Sends this many requests, one after the other, and counts the right answers.
async fn ask<S: futures::AsyncRead + futures::AsyncWrite + Unpin>(
    mut stream: S,
    requests: usize,
) -> io::Result<usize> {
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
