//! A socket that calls back when there is something to read.
//!
//! The operating system knows when data comes, but the standard library has no call that says "tell me later".
//! So each socket has a *watcher*: a thread that blocks in the operating system and calls back. A thread for
//! every socket is a high price; a later stage asks the operating system for all sockets at once.

use std::{
    io::{self, Read},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream, ToSocketAddrs},
    panic,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread,
};

const UNPOISONED: &str = "no code panics while it holds this lock";

/// The most that one [`Socket::read_buf`] takes, in bytes.
const PIECE: usize = 8 * 1024;

/// The watcher calls `peek`, takes a lock and calls back: the smallest stack will do, and there may be 1,000.
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
    /// Told when `readable` becomes false, or `closed` true.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// There are bytes to read.
    readable: bool,
    /// Nothing more will come: the peer has closed the connection, or it is broken.
    ended: bool,
    /// What broke it, until `read_buf` reports it.
    broken: Option<io::Error>,
    /// Whom to call when there is something to read, or the end to see. Called once.
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

    /// Takes over a connection that is already made.
    ///
    /// # Errors
    ///
    /// If no thread can be started to watch it.
    pub fn new(stream: TcpStream) -> io::Result<Socket> {
        stream.set_nonblocking(false)?; // for the watcher, which is there to block
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
    pub fn read_buf(&self) -> io::Result<Vec<u8>> {
        let mut state = self.shared.lock();
        if let Some(error) = state.broken.take() {
            return Err(error);
        }
        if !state.readable {
            return if state.ended {
                Ok(Vec::new())
            } else {
                Err(io::ErrorKind::WouldBlock.into())
            };
        }
        let mut piece = vec![0; PIECE];
        let count = loop {
            match (&self.shared.stream).read(&mut piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        piece.truncate(count);
        state.readable = false;
        self.shared.changed.notify_one();
        Ok(piece)
    }

    /// Calls `callback` once, when there is something to read: on the watcher's thread, or at once on this one if
    /// it is so already. A later callback takes the place of an earlier one.
    pub fn set_readable_callback(&self, callback: fn()) {
        let mut state = self.shared.lock();
        if state.has_answer() {
            drop(state);
            callback();
        } else {
            state.on_readable = Some(callback);
        }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_one();
        // Gets the watcher out of `peek`. If the peer was first, there is nothing left to shut down.
        let _ = self.shared.stream.shutdown(Shutdown::Both);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect(UNPOISONED)
    }

    /// The watcher: blocks until there is something to read, says so, waits until it has been read.
    fn watch(&self) {
        loop {
            let peeked = self.stream.peek(&mut [0]);
            let mut state = self.lock();
            match peeked {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => state.broken = Some(error),
                Ok(bytes) => state.readable = bytes > 0,
            }
            state.ended = !state.readable;
            if state.closed {
                return; // what ended it is our own side
            }
            let callback = state.on_readable.take();
            drop(state);
            if let Some(callback) = callback {
                // A callback that panics has printed its message; the next one is still due.
                let _ = panic::catch_unwind(callback);
            }

            let unread = |state: &mut State| state.readable && !state.closed;
            let state = self
                .changed
                .wait_while(self.lock(), unread)
                .expect(UNPOISONED);
            if state.ended || state.closed {
                return;
            }
        }
    }
}

impl State {
    fn has_answer(&self) -> bool {
        self.readable || self.ended
    }
}
