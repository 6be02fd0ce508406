//! Sockets. They wait on the runtime of the thread that made them.

/// A stream of connections.
///
/// ```
/// use futures::StreamExt;
/// use step10_work_stealing::{Runtime, net::{TcpListener, TcpStream}};
///
/// Runtime::new(1).block_on(async {
///     let listener = TcpListener::bind(([127, 0, 0, 1], 0))?;
///     let _client = TcpStream::connect(listener.local_addr()?).await?;
///     let mut incoming = listener.incoming();
///     let _server = incoming.next().await.expect("it never ends")?;
///     std::io::Result::Ok(())
/// })?;
/// # std::io::Result::Ok(())
/// ```
pub use crate::carried::net::Incoming;
/// The socket of a server.
///
/// ```
/// use step10_work_stealing::{Runtime, net::{TcpListener, TcpStream}, spawn};
///
/// Runtime::new(1).block_on(async {
///     let mut listener = TcpListener::bind(([127, 0, 0, 1], 0))?;
///     let address = listener.local_addr()?;
///     let client = spawn(async move { TcpStream::connect(address).await });
///     let (accepted, peer) = listener.accept().await?;
///     assert_eq!(accepted.peer_addr()?, peer);
///     assert_eq!(client.await.unwrap()?.local_addr()?, peer);
///     std::io::Result::Ok(())
/// })?;
/// # std::io::Result::Ok(())
/// ```
pub use crate::carried::net::TcpListener;
/// One end of a connection.
///
/// ```
/// use futures::io::{AsyncReadExt, AsyncWriteExt};
/// use step10_work_stealing::{Runtime, net::{TcpListener, TcpStream}};
///
/// Runtime::new(1).block_on(async {
///     let mut listener = TcpListener::bind(([127, 0, 0, 1], 0))?;
///     let mut client = TcpStream::connect(listener.local_addr()?).await?;
///     let (mut server, _) = listener.accept().await?;
///     client.write_all(b"hello").await?;
///     client.close().await?; // no more is written, but the client can still read
///     let mut text = String::new();
///     server.read_to_string(&mut text).await?;
///     assert_eq!(text, "hello");
///     std::io::Result::Ok(())
/// })?;
/// # std::io::Result::Ok(())
/// ```
pub use crate::carried::net::TcpStream;
