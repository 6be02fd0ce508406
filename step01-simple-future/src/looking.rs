//! Waiting by looking: ask, sleep a while, ask again.
//!
//! Read this first. Everything else in this stage is there to replace it.

use std::{io, thread, time::Duration};

use crate::Socket;

/// What [`look_every`] found, and what it cost.
#[derive(Debug)]
pub struct Looked {
    /// The bytes that had come. Empty: the peer closed the connection.
    pub data: Vec<u8>,
    /// How often the socket was asked, the successful time included.
    pub looks: usize,
}

/// Asks the socket every `interval` whether data has come, and takes the data when it has.
///
/// It is never right: a short interval asks often for nothing, a long one notices late, by up to an `interval`.
///
/// # Errors
///
/// What [`Socket::read_buf`] reports.
///
/// ```
/// use step01_simple_future::{Socket, look_every};
/// use std::{io::Write, time::Duration};
///
/// let (socket, mut peer) = Socket::pair()?;
/// peer.write_all(b"howdy!")?;
/// let looked = look_every(&socket, Duration::from_millis(1))?;
/// assert_eq!(looked.data, b"howdy!");
/// # Ok::<(), std::io::Error>(())
/// ```
// ANCHOR: look_every
pub fn look_every(socket: &Socket, interval: Duration) -> io::Result<Looked> {
    let mut looks = 1;
    while !socket.has_data_to_read() {
        thread::sleep(interval);
        looks += 1;
    }
    let data = socket.read_buf()?;
    Ok(Looked { data, looks })
}
// ANCHOR_END: look_every
