//! A socket that calls back when there is something to read.
//!
//! The operating system knows when data comes, but the standard library has no call that says "tell me later".
//! So each socket has a *watcher*: a thread that blocks in the operating system, reads, and calls back. A thread for
//! every socket is a high price; a later stage asks the operating system for all sockets at once.

use std::{
    collections::BTreeSet,
    io, mem,
    net::{Shutdown, TcpStream, ToSocketAddrs},
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread,
};

use crate::{
    blocking_read::{blocking_read, make_blocking},
    contain::contain,
    pair::connected_pair,
};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// The most that the watcher reads at once, in bytes.
const PIECE: usize = 8 * 1024;

/// A TCP connection on which no call ever waits.
///
/// Ask [`has_data_to_read`](Socket::has_data_to_read), take with [`read_buf`](Socket::read_buf), and be told
/// through [`set_readable_callback`](Socket::set_readable_callback). Dropping it closes the connection.
///
/// ```
/// use step01_simple_future::Socket;
///
/// let (socket, peer) = Socket::pair()?;
/// assert!(!socket.has_data_to_read());
/// drop(peer);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Socket {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    stream: TcpStream,
    state: Mutex<State>,
    /// Told when the piece has been taken, or `closed` becomes true.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// What has been read and not been taken.
    piece: Option<io::Result<Vec<u8>>>,
    /// Nothing more will come: the peer has closed the connection, or it is broken.
    ended: bool,
    /// Whom to call when there is something to take. Each is called once, and a set has no duplicates.
    on_readable: BTreeSet<fn()>,
    /// The `Socket` is gone, and the watcher should go too.
    closed: bool,
}

impl Socket {
    /// Connects to a server, and waits for the connection to be made.
    ///
    /// # Errors
    ///
    /// If the connection cannot be made, or no thread can be started to watch it.
    pub fn connect(server: impl ToSocketAddrs) -> io::Result<Socket> {
        Socket::new(TcpStream::connect(server)?)
    }

    /// A connection to this very process: a socket, and the peer that you can write to.
    ///
    /// # Errors
    ///
    /// If the operating system has no port, no file handle or no thread left.
    pub fn pair() -> io::Result<(Socket, TcpStream)> {
        let (stream, peer) = connected_pair()?;
        Ok((Socket::new(stream)?, peer))
    }

    /// Takes over a connection that is already made. It is read from here alone, on the watcher's thread.
    ///
    /// Makes the stream block and takes its time limit for reads away, or sets one of half a second on Windows. That applies
    /// to all clones of it.
    ///
    /// # Errors
    ///
    /// If no thread can be started to watch it.
    pub fn new(stream: TcpStream) -> io::Result<Socket> {
        make_blocking(&stream)?;
        let shared = Arc::new(Shared {
            stream,
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let watched = Arc::clone(&shared);
        thread::Builder::new()
            .name("socket watcher".into())
            .spawn(move || watched.watch())?;
        Ok(Socket { shared })
    }

    /// Whether [`read_buf`](Socket::read_buf) has an answer: bytes, the end of the stream, or an error.
    pub fn has_data_to_read(&self) -> bool {
        self.shared.lock().has_answer()
    }

    /// Takes what has come, at most 8 KiB. Empty: the peer has closed the connection, and nothing more comes.
    ///
    /// # Errors
    ///
    /// [`WouldBlock`](io::ErrorKind::WouldBlock) if nothing has come, or what the operating system reports of
    /// the connection.
    // ANCHOR: read_buf
    pub fn read_buf(&self) -> io::Result<Vec<u8>> {
        let mut state = self.shared.lock();
        match state.piece.take() {
            Some(piece) => {
                self.shared.changed.notify_one();
                piece
            }
            None if state.ended => Ok(Vec::new()),
            None => Err(io::ErrorKind::WouldBlock.into()),
        }
    }
    // ANCHOR_END: read_buf

    /// Calls `callback` once, when there is something to read: on the watcher's thread, or at once on this one if
    /// it is so already. Several callbacks may wait; the same one waits only once, however often it is set. When their moment
    /// has come, all of them are called, even if one of them drops the socket.
    // ANCHOR: set_callback
    pub fn set_readable_callback(&self, callback: fn()) {
        let mut state = self.shared.lock();
        if state.has_answer() {
            drop(state);
            callback();
        } else {
            state.on_readable.insert(callback);
        }
    }
    // ANCHOR_END: set_callback
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_one();
        // Ends the call that the watcher is blocked in. If the peer was first, there is nothing left to shut down.
        let _ = self.shared.stream.shutdown(Shutdown::Both);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect(UNPOISONED)
    }

    /// The watcher: reads a piece, says so, waits until it has been taken.
    fn watch(&self) {
        let mut buffer = [0; PIECE];
        loop {
            let read = blocking_read(&self.stream, &mut buffer);
            // ANCHOR: watcher
            let mut state = self.lock();
            if state.closed {
                return; // what ended it is our own side
            }
            state.ended = !matches!(read, Ok(1..));
            state.piece = Some(read.map(|count| buffer[..count].to_vec()));
            let callbacks = mem::take(&mut state.on_readable);
            drop(state);
            for callback in callbacks {
                contain(callback); // the other callbacks and the next piece are still due
            }
            // ANCHOR_END: watcher

            let untaken =
                |state: &mut State| state.piece.is_some() && !state.ended && !state.closed;
            let state = self
                .changed
                .wait_while(self.lock(), untaken)
                .expect(UNPOISONED);
            if state.ended || state.closed {
                return;
            }
        }
    }
}

impl State {
    fn has_answer(&self) -> bool {
        self.piece.is_some() || self.ended
    }
}
