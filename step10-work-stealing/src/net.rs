//! Sockets. They wait on the runtime of the thread that made them.

pub use crate::carried::net::{
    incoming::Incoming, tcp_listener::TcpListener, tcp_stream::TcpStream,
};
