//! Sockets. They wait on the runtime of the thread that made them.

mod incoming;
mod tcp_listener;
mod tcp_stream;

pub use incoming::Incoming;
pub use tcp_listener::TcpListener;
pub use tcp_stream::TcpStream;
