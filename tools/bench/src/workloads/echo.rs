//! A TCP server that echoes, and its clients, all on the same runtime.

use std::{io, net::Ipv4Addr};

use futures::io::{AsyncReadExt, AsyncWriteExt};

use crate::{
    measure::{Answer, Clock, Size, check},
    runtime::{Net, Spawn},
};

const BYTES: usize = 64;

pub(super) fn run<R: Net>(size: Size) -> Answer {
    let (connections, trips) = (size.of(64, 64, 4), size.of(2000, 200, 5));
    let mut runtime = R::start();
    let (figures, done) = runtime
        .block_on(|spawner| all::<R>(spawner, connections, trips))
        .map_err(|error| error.to_string())?;
    check("the round trips", done, connections * trips)?;
    Ok(figures)
}

async fn all<R: Net>(
    spawner: R::Spawner,
    connections: usize,
    trips: usize,
) -> io::Result<(crate::measure::Figures, usize)> {
    let pairs = connected::<R>(connections).await?;
    let clock = Clock::start();
    let mut clients = Vec::with_capacity(connections);
    for (client, server) in pairs {
        spawner.detach(async move {
            // The end of a connection is no fault: the client has what it wanted.
            let _ = echo(server).await;
        });
        clients.push(spawner.spawn(ask(client, trips)));
    }
    let mut done = 0;
    for client in clients {
        done += client.await?;
    }
    Ok((clock.stop(connections * trips), done))
}

/// Pairs of the two ends of a connection: the client's, then the server's.
pub(super) async fn connected<R: Net>(count: usize) -> io::Result<Vec<(R::Stream, R::Stream)>> {
    let (mut listener, address) = R::listen((Ipv4Addr::LOCALHOST, 0).into()).await?;
    let mut pairs = Vec::with_capacity(count);
    for _ in 0..count {
        let client = R::connect(address).await?;
        pairs.push((client, R::accept(&mut listener).await?));
    }
    Ok(pairs)
}

async fn echo<S: futures::AsyncRead + futures::AsyncWrite + Unpin>(
    mut stream: S,
) -> io::Result<()> {
    let mut buffer = [0; BYTES];
    loop {
        stream.read_exact(&mut buffer).await?;
        stream.write_all(&buffer).await?;
    }
}

async fn ask<S: futures::AsyncRead + futures::AsyncWrite + Unpin>(
    mut stream: S,
    trips: usize,
) -> io::Result<usize> {
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
