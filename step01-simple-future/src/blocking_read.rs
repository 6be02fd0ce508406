//! A read that blocks even if the owner of a clone changes the settings of the stream.
//!
//! The watcher in `socket.rs` needs it. Nothing in it is about futures, so you may skip it.

use std::{
    io::{self, ErrorKind, Read},
    net::TcpStream,
    time::Duration,
};

/// How long one call to the operating system may block.
///
/// Shutting a stream down ends the call that another thread is blocked in, except on Windows
/// (rust-lang/rust#121594). On Windows each call therefore has a limit, and the call after it finds the stream shut down.
const LIMIT: Option<Duration> = if cfg!(windows) {
    Some(Duration::from_millis(500))
} else {
    None
};

/// Makes the stream, and all its clones, block in each read.
pub(crate) fn make_blocking(stream: &TcpStream) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(LIMIT)
}

/// Blocks until the stream has bytes, its end, or an error to report.
pub(crate) fn blocking_read(mut stream: &TcpStream, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        if cfg!(windows) {
            make_blocking(stream)?; // because without its limit, nothing would end this call
        }
        // Only a peek waits, because on Windows a read that reaches its limit may lose data.
        let read = stream.peek(&mut [0]).and_then(|_| stream.read(buffer));
        match read {
            // Clones share these settings, so any part of the program may have changed them.
            Err(error) if says_nothing(&error) => make_blocking(stream)?,
            other => return other,
        }
    }
}

/// Whether the call returned without anything to report about the connection.
fn says_nothing(error: &io::Error) -> bool {
    match error.kind() {
        ErrorKind::Interrupted | ErrorKind::WouldBlock => true,
        // On Windows, this is the limit. Elsewhere the limit is `WouldBlock`, and this is a broken connection.
        ErrorKind::TimedOut => cfg!(windows),
        _ => false,
    }
}
