//! A socket that calls back when it has something to read.
//!
//! The operating system knows when data arrives, but the standard library has no call for "notify me later". So each
//! socket has a *watcher*, a thread that blocks in the operating system, reads, and calls back. One thread for each
//! socket is a high price. In stage 09 one thread waits for all sockets.

use std::{
    collections::BTreeSet,
    io::{self, ErrorKind, Read},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex},
    thread,
};

use crate::contain::contain;

const UNPOISONED: &str = "no code panics while it holds this lock";

/// A TCP connection on which no read ever waits.
///
/// Take what has arrived with [`read_buf`](Socket::read_buf), and get notified through
/// [`set_readable_callback`](Socket::set_readable_callback). Dropping it closes the connection.
///
/// ```
/// use step01_simple_future::Socket;
///
/// let (socket, peer) = Socket::pair()?;
/// assert!(!socket.has_data_to_read());
/// drop(peer);
/// # Ok::<(), std::io::Error>(())
/// ```
// ANCHOR: structs
#[derive(Debug)]
pub struct Socket {
    shared: Arc<Shared>, // with the watcher, which is a thread
}

#[derive(Debug)]
struct Shared {
    stream: TcpStream,
    state: Mutex<State>,
    /// Notified when the piece has been taken, and when `closed` becomes true.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// What the watcher has read, until `read_buf` takes it. Empty bytes are the end of the stream.
    piece: Option<io::Result<Vec<u8>>>,
    /// The callbacks for the next piece. A set, so that a hundred polls leave one callback.
    on_readable: BTreeSet<fn()>,
    /// The `Socket` has been dropped, so the watcher should end.
    closed: bool,
}
// ANCHOR_END: structs

impl Socket {
    /// Connects this process to itself. Returns the socket and its peer, which you can write to.
    ///
    /// # Errors
    ///
    /// If the operating system has no port, no file handle or no thread left.
    pub fn pair() -> io::Result<(Socket, TcpStream)> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let stream = TcpStream::connect(listener.local_addr()?)?;
        Ok((Socket::new(stream)?, listener.accept()?.0))
    }

    /// Takes over a connection. Its reads must block, without a time limit, and from now on only the watcher may read.
    ///
    /// # Errors
    ///
    /// If no thread can be started to watch it.
    pub fn new(stream: TcpStream) -> io::Result<Socket> {
        let shared = Arc::new(Shared {
            stream,
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let watched = Arc::clone(&shared);
        let watcher = thread::Builder::new().name("socket watcher".into());
        watcher.spawn(move || watch(&watched))?;
        Ok(Socket { shared })
    }

    /// Whether [`read_buf`](Socket::read_buf) has something to return: bytes, the end of the stream, or an error.
    ///
    /// Another thread may take it before you do, so to get the data, call `read_buf` and look at what it returns.
    pub fn has_data_to_read(&self) -> bool {
        self.shared.state.lock().expect(UNPOISONED).piece.is_some()
    }

    /// Takes what has arrived, at most 8 KiB. Empty if the peer has closed the connection. From then on, all that arrives is
    /// empty.
    ///
    /// # Errors
    ///
    /// [`WouldBlock`](ErrorKind::WouldBlock) if nothing has arrived, or what the operating system reports of
    /// the connection.
    pub fn read_buf(&self) -> io::Result<Vec<u8>> {
        let mut state = self.shared.state.lock().expect(UNPOISONED);
        let Some(piece) = state.piece.take() else {
            return Err(ErrorKind::WouldBlock.into());
        };
        self.shared.changed.notify_one();
        piece
    }

    /// Calls `callback` once, when the socket has something to read: on the watcher's thread or, if it has something
    /// already, on this thread before returning.
    ///
    /// Several callbacks may be set. The same one is kept only once, however often it is set. All of them are called,
    /// even if one of them drops the socket.
    // ANCHOR: set_callback
    pub fn set_readable_callback(&self, callback: fn()) {
        let mut state = self.shared.state.lock().expect(UNPOISONED);
        // The watcher stores a piece under this lock, so either the piece is there by now, or the
        // watcher will find this callback.
        if state.piece.is_none() {
            state.on_readable.insert(callback);
        } else {
            drop(state);
            callback();
        }
    }
    // ANCHOR_END: set_callback
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.shared.state.lock().expect(UNPOISONED).closed = true;
        self.shared.changed.notify_one();
        // Ends the read that the watcher is blocked in, but not on Windows (rust-lang/rust#121594), where the watcher stays
        // until the peer closes the connection. This fails if the peer has closed it already.
        let _ = self.shared.stream.shutdown(Shutdown::Both);
    }
}

/// What the watcher does: reads a piece, calls back, waits until the piece has been taken, and so on.
fn watch(shared: &Shared) {
    let mut buffer = [0; 8 * 1024];
    loop {
        // At the end of the stream it returns 0 at once, however often it is called.
        let read = (&shared.stream).read(&mut buffer);
        let mut state = shared.state.lock().expect(UNPOISONED);
        if state.closed {
            return; // because `Socket::drop` ended the read
        }
        state.piece = Some(read.map(|count| buffer[..count].to_vec()));
        let callbacks = std::mem::take(&mut state.on_readable);
        drop(state);
        call_each(callbacks);
        let untaken = |state: &mut State| state.piece.is_some() && !state.closed;
        let state = shared.state.lock().expect(UNPOISONED);
        drop(shared.changed.wait_while(state, untaken).expect(UNPOISONED));
    }
}

/// Calls each of them, even if an earlier one panics.
fn call_each(callbacks: BTreeSet<fn()>) {
    for callback in callbacks {
        contain(callback);
    }
}
