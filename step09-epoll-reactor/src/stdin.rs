//! Lines from the standard input, while other tasks run.

mod input;
mod line_error;
mod lines;
mod number;

use std::{
    future::poll_fn,
    io::{self, Read},
    task::{Context, Poll, ready},
};

#[cfg(unix)]
use crate::{Registered, selector::AsIo};

use input::{Input, Reader};
pub use line_error::LineError;
use line_error::Reason;
pub use lines::{LIMIT, Lines};
pub use number::StdinFuture;

/// An input that is read line by line, usually the standard input.
///
/// A terminal, a pipe or a socket is watched by the runtime. It stays a blocking one, because the flag that would make it
/// non-blocking belongs to all processes that share it, such as the shell. So after each event there is exactly one read,
/// which does not block unless another process has taken the data in between.
///
/// What the system does not watch is read by a thread of its own: a file or `/dev/null` on Linux, and every standard input
/// on Windows.
///
/// ```
/// use step09_epoll_reactor::{block_on, stdin::Stdin};
///
/// block_on(async {
///     let mut input = Stdin::on_thread("one\ntwo".as_bytes())?;
///     assert_eq!(input.read_line().await?, Some("one".to_owned()));
///     assert_eq!(input.read_line().await?, Some("two".to_owned()));
///     assert_eq!(input.read_line().await?, None);
///     Ok::<(), Box<dyn std::error::Error>>(())
/// })
/// # .unwrap()
/// ```
// ANCHOR: struct
#[derive(Debug)]
pub struct Stdin {
    input: Input,
    lines: Lines,
}
// ANCHOR_END: struct

impl Stdin {
    /// The standard input of this process.
    ///
    /// # Errors
    ///
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists) if another `Stdin` of this runtime reads it. Also if no thread can
    /// be started where one is needed.
    ///
    /// # Panics
    ///
    /// If the thread is not in [`block_on`](crate::block_on).
    // ANCHOR: new
    pub fn new() -> io::Result<Stdin> {
        #[cfg(unix)]
        if rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(rustix::stdio::stdin())?.st_mode)
            != rustix::fs::FileType::RegularFile
        {
            match Stdin::watch(rustix::stdio::stdin()) {
                Ok(stdin) => return Ok(stdin),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
                Err(_) => {} // the kernel does not watch such a thing
            }
        }
        Stdin::on_thread(io::stdin())
    }
    // ANCHOR_END: new

    /// Reads from a descriptor that the runtime watches. It may be a blocking one.
    ///
    /// # Errors
    ///
    /// If the system does not watch it. Linux then says [`PermissionDenied`](io::ErrorKind::PermissionDenied).
    ///
    /// # Panics
    ///
    /// If the thread is not in [`block_on`](crate::block_on).
    #[cfg(unix)]
    pub fn watch(io: impl AsIo + Send + Sync + 'static) -> io::Result<Stdin> {
        let io: Box<dyn AsIo + Send + Sync> = Box::new(io);
        Ok(Stdin::from(Input::Watched(Registered::blocking(io)?)))
    }

    /// Reads on a thread of its own, which ends when a read returns after the `Stdin` has been dropped.
    ///
    /// # Errors
    ///
    /// If the thread cannot be started.
    pub fn on_thread(from: impl Read + Send + 'static) -> io::Result<Stdin> {
        Ok(Stdin::from(Input::Thread(Reader::start(from)?)))
    }

    fn from(input: Input) -> Stdin {
        Stdin {
            input,
            lines: Lines::default(),
        }
    }

    /// Waits for a line, and returns it without its newline, or `None` at the end of the input.
    ///
    /// Cancel safe: what has been read of a line when the future is dropped belongs to the next call.
    ///
    /// # Errors
    ///
    /// If the line is longer than [`LIMIT`], or not UTF-8. Then the next call reads the next line. Also if the input cannot
    /// be read.
    pub async fn read_line(&mut self) -> Result<Option<String>, LineError> {
        poll_fn(|cx| self.poll_line(cx)).await
    }

    // ANCHOR: poll_line
    fn poll_line(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<String>, LineError>> {
        loop {
            if let Some(line) = self.lines.next_line() {
                return Poll::Ready(line.map(Some));
            }
            if self.lines.is_ended() {
                return Poll::Ready(Ok(None));
            }
            match ready!(self.input.poll_chunk(cx)) {
                Ok(chunk) if chunk.is_empty() => self.lines.end(),
                Ok(chunk) => self.lines.push(&chunk),
                Err(error) => return Poll::Ready(Err(self.lines.error(Reason::Io(error)))),
            }
        }
    }
    // ANCHOR_END: poll_line

    fn error(&self, reason: Reason) -> LineError {
        self.lines.error(reason)
    }
}
