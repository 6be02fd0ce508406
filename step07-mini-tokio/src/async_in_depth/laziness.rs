//! Calling an `async fn` creates a future. Nothing of its body runs before the first poll.

use std::{io, net::SocketAddr};

use tokio::net::TcpStream;

/// Prints a greeting, connects to `server` with tokio's `TcpStream`, and prints that it has connected.
///
/// # Errors
///
/// Returns the error of the connection if it cannot be made.
///
/// # Panics
///
/// If it is polled where no tokio runtime has been entered, because `TcpStream` registers with tokio's reactor.
pub async fn my_async_fn(server: SocketAddr) -> io::Result<()> {
    println!("      hello from async");
    let _socket = TcpStream::connect(server).await?;
    println!("      async TCP operation complete");
    Ok(())
}
