//! A stream of connections.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use futures::Stream;

use crate::{Handle, Sleep};

use super::{TcpListener, TcpStream};

/// How long it waits until it tries again, if the process or the system has no descriptor left.
const BACK_OFF: Duration = Duration::from_millis(50);

/// Yields the connections of a listener, and never ends. [`TcpListener::incoming`] makes it.
///
/// If no descriptor or no memory is left for a connection, it says so once, waits 50 ms, and tries again: the connection
/// stays in the line of the system until then. Most other errors concern a single connection, and
/// the stream goes on after each, unless its runtime has been dropped: then every item is an error.
#[derive(Debug)]
// ANCHOR: struct
pub struct Incoming {
    listener: TcpListener,
    /// Where it waits before it tries again.
    runtime: Handle,
    /// No connection is accepted until this is over.
    back_off: Option<Sleep>,
}
// ANCHOR_END: struct

impl Incoming {
    pub(super) fn new(listener: TcpListener) -> Incoming {
        Incoming {
            listener,
            runtime: Handle::current(),
            back_off: None,
        }
    }
}

impl Stream for Incoming {
    type Item = io::Result<TcpStream>;

    // ANCHOR: poll_next
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(back_off) = &mut self.back_off {
            ready!(Pin::new(back_off).poll(cx));
            self.back_off = None;
        }
        let accepted = ready!(self.listener.poll_accept(cx));
        if accepted.as_ref().is_err_and(is_exhausted) {
            self.back_off = Some(self.runtime.sleep(BACK_OFF));
        }
        Poll::Ready(Some(accepted.map(|(stream, _peer)| stream)))
    }
    // ANCHOR_END: poll_next
}

/// Whether the next connection would meet this error too.
fn is_exhausted(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let exhausted = [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM];
        let code = error.raw_os_error();
        exhausted
            .iter()
            .any(|errno| code == Some(errno.raw_os_error()))
    }
    #[cfg(windows)]
    {
        const WSAEMFILE: i32 = 10_024;
        const WSAENOBUFS: i32 = 10_055;
        matches!(error.raw_os_error(), Some(WSAEMFILE | WSAENOBUFS))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn it_backs_off_for_what_the_next_connection_would_meet_as_well() {
        let is_exhausted = |errno: Errno| is_exhausted(&errno.into());
        let exhausted = [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM];
        assert!(exhausted.into_iter().all(is_exhausted));
        let others = [Errno::CONNABORTED, Errno::PERM, Errno::PROTO, Errno::INVAL];
        assert!(!others.into_iter().any(is_exhausted));
    }
}
