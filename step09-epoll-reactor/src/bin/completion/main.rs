//! A read by completion, what a timeout does to it, and the same with readiness.

#[path = "../../carried/contain.rs"]
mod contain;
mod kernel;
mod ring;

use std::{error::Error, pin::pin, time::Duration};

use futures::io::{AsyncReadExt, AsyncWriteExt};
use step09_epoll_reactor::{
    block_on,
    net::{TcpListener, TcpStream},
    timeout,
};

use ring::Ring;

const LIMIT: Duration = Duration::from_millis(20);

fn main() -> Result<(), Box<dyn Error>> {
    block_on(async {
        println!("1. A read by completion");
        let ring = Ring::new()?;
        ring.arrive(b"hello");
        let (length, buffer) = ring.read(vec![0; 16]).await;
        println!("   read: {}", text(&buffer[..length]));

        println!("2. A timeout drops a read, and then \"hello\" and \"world\" arrive");
        let elapsed = timeout(LIMIT, ring.read(vec![0; 16])).await.is_err();
        println!(
            "   timeout: {elapsed}, buffers that the ring owns: {}",
            ring.buffers()
        );
        ring.arrive(b"hello");
        println!(
            "   after \"hello\", buffers that the ring owns: {}",
            ring.buffers()
        );
        ring.arrive(b"world");
        let (length, buffer) = ring.read(vec![0; 16]).await;
        println!("   the next read: {}", text(&buffer[..length]));

        println!("3. The same, but the timeout only borrows the read, which is awaited again");
        let mut read = pin!(ring.read(vec![0; 16]));
        let elapsed = timeout(LIMIT, read.as_mut()).await.is_err();
        println!(
            "   timeout: {elapsed}, buffers that the ring owns: {}",
            ring.buffers()
        );
        ring.arrive(b"hello");
        let (length, buffer) = read.await;
        println!("   the same read: {}", text(&buffer[..length]));
        ring.arrive(b"world");
        let (length, buffer) = ring.read(vec![0; 16]).await;
        println!("   the next read: {}", text(&buffer[..length]));

        println!("4. As part 2, with readiness: a socket");
        let mut listener = TcpListener::bind(([127, 0, 0, 1], 0))?;
        let mut peer = TcpStream::connect(listener.local_addr()?).await?;
        let (mut socket, _) = listener.accept().await?;
        let mut buffer = [0; 5];
        let elapsed = timeout(LIMIT, socket.read(&mut buffer)).await.is_err();
        println!("   timeout: {elapsed}");
        peer.write_all(b"helloworld").await?;
        socket.read_exact(&mut buffer).await?;
        println!("   the next read: {}", text(&buffer));
        Ok(())
    })
}

fn text(bytes: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(bytes))
}
