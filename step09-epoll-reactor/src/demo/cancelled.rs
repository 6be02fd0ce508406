//! What becomes of the bytes that a read has taken when a timeout drops it.

use std::{io, time::Duration};

use futures::{AsyncReadExt, AsyncWriteExt};
use step09_epoll_reactor::{
    block_on,
    net::{TcpListener, TcpStream},
    timeout,
};

const LIMIT: Duration = Duration::from_millis(10);

/// Half of a message arrives before the timeout, and half after it.
pub fn show() -> io::Result<()> {
    println!(
        "3. A timeout drops a read that waits for \"half\", of which \"ha\" has arrived. Then \"lf\" arrives"
    );
    block_on(async {
        let mut listener = TcpListener::bind(([127, 0, 0, 1], 0))?;

        let (mut client, mut server) = pair(&mut listener).await?;
        client.write_all(b"ha").await?;
        let mut buffer = [0; 4];
        let read = timeout(LIMIT, server.read_exact(&mut buffer));
        assert!(read.await.is_err(), "half of it has come");
        let rest = rest(client, server).await?;
        println!("   read_exact loses what it has read: the next read gets {rest:?}");

        let (mut client, mut server) = pair(&mut listener).await?;
        client.write_all(b"ha").await?;
        let mut message = String::new();
        let read = timeout(LIMIT, read_4(&mut server, &mut message));
        assert!(read.await.is_err(), "half of it has come");
        client.write_all(b"lf").await?;
        client.close().await?;
        read_4(&mut server, &mut message).await?;
        println!(
            "   reading each byte into the caller's string loses nothing: the string is {message:?}"
        );
        Ok(())
    })
}

async fn pair(listener: &mut TcpListener) -> io::Result<(TcpStream, TcpStream)> {
    let client = TcpStream::connect(listener.local_addr()?).await?;
    Ok((client, listener.accept().await?.0))
}

/// Reads until there are 4 bytes. Each byte is in the message before the next `.await`, where this may be dropped.
async fn read_4(server: &mut TcpStream, message: &mut String) -> io::Result<()> {
    while message.len() < 4 {
        let mut byte = [0];
        server.read_exact(&mut byte).await?;
        message.push(char::from(byte[0]));
    }
    Ok(())
}

/// Sends the second half, and reads what there is.
async fn rest(mut client: TcpStream, mut server: TcpStream) -> io::Result<String> {
    client.write_all(b"lf").await?;
    client.close().await?;
    let mut rest = String::new();
    server.read_to_string(&mut rest).await?;
    Ok(rest)
}
