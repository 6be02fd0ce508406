//! A socket that calls back when there is something to read.
//!
//! The operating system knows when data comes, but the standard library has no call that says "tell me later".
//! So each socket has a *watcher*: a thread that blocks in the operating system, reads, and calls back. A thread for
//! every socket is a high price; a later stage asks the operating system for all sockets at once.

use std::{
    io::{self, Read},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream, ToSocketAddrs},
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread,
};

use crate::contain::contain;

const UNPOISONED: &str = "no code panics while it holds this lock";

/// The most that the watcher reads at once, in bytes.
const PIECE: usize = 8 * 1024;

/// The watcher reads a piece, takes a lock and calls back: a small stack will do, and there may be 1,000.
const WATCHER_STACK: usize = 64 * 1024;

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
    /// Whom to call when there is something to take. Called once.
    on_readable: Option<fn()>,
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
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let stream = TcpStream::connect(listener.local_addr()?)?;
        loop {
            let (peer, from) = listener.accept()?;
            // Any program on this machine may connect to an open port; wait for the one that is ours.
            if from == stream.local_addr()? {
                return Ok((Socket::new(stream)?, peer));
            }
        }
    }

    /// Takes over a connection that is already made. It is read from here alone, on the watcher's thread.
    ///
    /// # Errors
    ///
    /// If no thread can be started to watch it.
    pub fn new(stream: TcpStream) -> io::Result<Socket> {
        // For the watcher, which is there to block.
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(None)?;
        let shared = Arc::new(Shared {
            stream,
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let watched = Arc::clone(&shared);
        thread::Builder::new()
            .name("socket watcher".into())
            .stack_size(WATCHER_STACK)
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
    /// it is so already. A later callback takes the place of an earlier one.
    // ANCHOR: set_callback
    pub fn set_readable_callback(&self, callback: fn()) {
        let mut state = self.shared.lock();
        if state.has_answer() {
            drop(state);
            callback();
        } else {
            state.on_readable = Some(callback);
        }
    }
    // ANCHOR_END: set_callback
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_one();
        // Gets the watcher out of `read`. If the peer was first, there is nothing left to shut down.
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
            let read = (&self.stream).read(&mut buffer);
            if matches!(&read, Err(error) if error.kind() == io::ErrorKind::Interrupted) {
                continue;
            }
            // ANCHOR: watcher
            let mut state = self.lock();
            if state.closed {
                return; // what ended it is our own side
            }
            state.ended = !matches!(read, Ok(1..));
            state.piece = Some(read.map(|count| buffer[..count].to_vec()));
            let callback = state.on_readable.take();
            drop(state);
            if let Some(callback) = callback {
                contain(callback); // the next one is still due
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
