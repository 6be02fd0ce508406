//! Calling an `async fn` makes a future, and does nothing else.

use std::{io, net::SocketAddr};

use tokio::net::TcpStream;

/// Says hello, connects to a server on tokio, and says that it did.
///
/// # Errors
///
/// If the connection cannot be made.
// ANCHOR: lazy
pub async fn my_async_fn(server: SocketAddr) -> io::Result<()> {
    println!("hello from async");
    let _socket = TcpStream::connect(server).await?;
    println!("async TCP operation complete");
    Ok(())
}
// ANCHOR_END: lazy
