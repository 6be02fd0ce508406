//! Waiting by checking: check, sleep a while, check again. This is what futures replace.

use std::{io, thread, time::Duration};

/// Calls `check` once per `interval` until it returns something other than [`WouldBlock`](io::ErrorKind::WouldBlock), and
/// returns that.
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
/// let data = check_every(Duration::from_millis(1), || socket.read_buf())?;
/// assert_eq!(data, b"howdy!");
/// # Ok::<(), std::io::Error>(())
/// ```
// ANCHOR: check_every
pub fn check_every<T>(
    interval: Duration,
    mut check: impl FnMut() -> io::Result<T>,
) -> io::Result<T> {
    loop {
        match check() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(interval),
            found => return found,
        }
    }
}
// ANCHOR_END: check_every
