//! Waiting by checking: check, sleep a while, check again.
//!
//! Read this first. The rest of this stage is about doing without it.

use std::{io, thread, time::Duration};

use crate::Socket;

/// What [`check_every`] received, and how many checks that took.
#[derive(Debug)]
pub struct Checked {
    /// The bytes that have arrived. Empty if the peer has closed the connection.
    pub data: Vec<u8>,
    /// How many times the socket was checked, including the check that found the data.
    pub checks: usize,
}

/// Checks once per `interval` whether the socket has data, and takes the data once it has.
///
/// No interval is right: a short one wastes checks, and a long one notices the data late, by up to one `interval`.
///
/// # Errors
///
/// What [`Socket::read_buf`] reports.
///
/// ```
/// use step01_simple_future::{Socket, check_every};
/// use std::{io::Write, time::Duration};
///
/// let (socket, mut peer) = Socket::pair()?;
/// peer.write_all(b"howdy!")?;
/// let checked = check_every(&socket, Duration::from_millis(1))?;
/// assert_eq!(checked.data, b"howdy!");
/// # Ok::<(), std::io::Error>(())
/// ```
// ANCHOR: check_every
pub fn check_every(socket: &Socket, interval: Duration) -> io::Result<Checked> {
    let mut checks = 1;
    while !socket.has_data_to_read() {
        thread::sleep(interval);
        checks += 1;
    }
    let data = socket.read_buf()?;
    Ok(Checked { data, checks })
}
// ANCHOR_END: check_every
