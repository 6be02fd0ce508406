//! Waiting by checking: check, sleep a while, check again.
//!
//! Read this first. The rest of this stage is about doing without it.

use std::{io, thread, time::Duration};

/// What [`check_every`] received, and how many checks that took.
#[derive(Debug)]
pub struct Checked {
    /// The bytes that have arrived. Empty if the peer has closed the connection.
    pub data: Vec<u8>,
    /// How many checks there were, including the one that found the data.
    pub checks: usize,
}

/// Calls `check` once per `interval` until it returns something other than [`WouldBlock`](io::ErrorKind::WouldBlock).
///
/// A check takes the data if there is any. Two calls, one that asks and one that takes, would let another thread take
/// the data between them.
///
/// No interval is right: a short one wastes checks, and a long one notices the data late, by up to one `interval`.
///
/// # Errors
///
/// What `check` reports, except for `WouldBlock`.
///
/// ```
/// use step01_simple_future::{Socket, check_every};
/// use std::{io::Write, time::Duration};
///
/// let (socket, mut peer) = Socket::pair()?;
/// peer.write_all(b"howdy!")?;
/// let checked = check_every(Duration::from_millis(1), || socket.read_buf())?;
/// assert_eq!(checked.data, b"howdy!");
/// # Ok::<(), std::io::Error>(())
/// ```
// ANCHOR: check_every
pub fn check_every(
    interval: Duration,
    mut check: impl FnMut() -> io::Result<Vec<u8>>,
) -> io::Result<Checked> {
    let mut checks = 0;
    loop {
        checks += 1;
        match check() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(interval),
            found => return found.map(|data| Checked { data, checks }),
        }
    }
}
// ANCHOR_END: check_every
