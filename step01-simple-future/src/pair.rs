//! A connection of this process to itself.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
};

/// Both ends of a new connection.
pub(crate) fn connected_pair() -> io::Result<(TcpStream, TcpStream)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let stream = TcpStream::connect(listener.local_addr()?)?;
    let peer = accept_from(stream.local_addr()?, &listener)?;
    Ok((stream, peer))
}

/// Accepts the connection from `address`, and closes all that arrive before it.
fn accept_from(address: SocketAddr, listener: &TcpListener) -> io::Result<TcpStream> {
    loop {
        // Any program on this machine may connect to an open port.
        let (peer, from) = listener.accept()?;
        if from == address {
            return Ok(peer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg_attr(miri, ignore = "Miri has no sockets")]
    #[test]
    fn a_stranger_that_connects_first_is_not_the_peer() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let connect = || TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (_stranger, stream) = (connect(), connect());
        let address = stream.local_addr().unwrap();
        let peer = accept_from(address, &listener).unwrap();
        assert_eq!(peer.peer_addr().unwrap(), address);
    }
}
