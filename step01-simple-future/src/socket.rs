//! A socket that calls back when it has something to read.
//!
//! The operating system knows when data arrives, but the standard library has no call for "notify me later". So each
//! socket has a *watcher*, a thread that blocks in the operating system, reads, and calls back. One thread for each
//! socket is a high price. In stage 09 one thread waits for all sockets.

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
    /// What the watcher has read, until `read_buf` takes it.
    piece: Option<io::Result<Vec<u8>>>,
    /// Nothing more will arrive: the peer has closed the connection, or it is broken.
    ended: bool,
    /// The callbacks for the next piece. Each is called once, and a set has no duplicates.
    on_readable: BTreeSet<fn()>,
    /// The `Socket` has been dropped, so the watcher should end.
    closed: bool,
}
// ANCHOR_END: structs

impl Socket {
    /// Connects to a server. Blocks until the connection is made.
    ///
    /// # Errors
    ///
    /// If the connection cannot be made, or no thread can be started to watch it.
    pub fn connect(server: impl ToSocketAddrs) -> io::Result<Socket> {
        Socket::new(TcpStream::connect(server)?)
    }

    /// Connects this process to itself. Returns the socket and its peer, which you can write to.
    ///
    /// # Errors
    ///
    /// If the operating system has no port, no file handle or no thread left.
    pub fn pair() -> io::Result<(Socket, TcpStream)> {
        let (stream, peer) = connected_pair()?;
        Ok((Socket::new(stream)?, peer))
    }

    /// Takes over a connection that is already made. From now on, only the watcher reads from it.
    ///
    /// Makes the stream blocking and removes its time limit for reads, or sets a limit of half a second on Windows. This
    /// applies to all clones of the stream.
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

    /// Whether [`read_buf`](Socket::read_buf) has something to return: bytes, the end of the stream, or an error.
    ///
    /// Another thread may take it before you do, so to get the data, call `read_buf` and look at what it returns.
    pub fn has_data_to_read(&self) -> bool {
        self.shared.lock().has_something()
    }

    /// Takes what has arrived, at most 8 KiB. Empty if the peer has closed the connection, so that nothing more will
    /// arrive.
    ///
    /// # Errors
    ///
    /// [`WouldBlock`](io::ErrorKind::WouldBlock) if nothing has arrived, or what the operating system reports of
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

    /// Calls `callback` once, when the socket has something to read: on the watcher's thread or, if it has something
    /// already, on this thread before returning.
    ///
    /// Several callbacks may be set. The same one is kept only once, however often it is set. All of them are called,
    /// even if one of them drops the socket.
    // ANCHOR: set_callback
    pub fn set_readable_callback(&self, callback: fn()) {
        let mut state = self.shared.lock();
        if state.has_something() {
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
        // Ends the call that the watcher is blocked in. If the peer closed first, there is nothing left to shut down.
        let _ = self.shared.stream.shutdown(Shutdown::Both);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect(UNPOISONED)
    }

    /// What the watcher does: reads a piece, calls back, waits until the piece has been taken, and so on.
    // ANCHOR: watcher
    fn watch(&self) {
        let mut buffer = [0; PIECE];
        loop {
            let read = blocking_read(&self.stream, &mut buffer);
            let mut state = self.lock();
            if state.closed {
                return; // because `Socket::drop` ended the read
            }
            state.ended = !matches!(read, Ok(1..));
            state.piece = Some(read.map(|count| buffer[..count].to_vec()));
            let callbacks = mem::take(&mut state.on_readable);
            drop(state);
            for callback in callbacks {
                contain(callback); // because a panic must not keep the others from being called
            }

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
    // ANCHOR_END: watcher
}

impl State {
    fn has_something(&self) -> bool {
        self.piece.is_some() || self.ended
    }
}
