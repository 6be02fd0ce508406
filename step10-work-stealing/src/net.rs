//! Sockets. They wait on the runtime of the thread that made them.

pub use crate::carried::net::{Incoming, TcpListener, TcpStream};
