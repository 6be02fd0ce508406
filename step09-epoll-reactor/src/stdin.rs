//! Lines from the standard input, while other tasks run.

mod input;
mod line_error;
mod lines;
mod number;
mod taken;

use std::{
    future::poll_fn,
    io::{self, Read},
    task::{Context, Poll, ready},
};

#[cfg(unix)]
use crate::AsIo;

use input::{Input, Reader};
pub use line_error::LineError;
use line_error::Reason;
pub use lines::{LIMIT, Lines};
pub use number::StdinFuture;
use taken::Taken;

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
    /// What has been read ahead. It is lost if the `Stdin` is dropped.
    lines: Lines,
    /// Kept by the `Stdin` of the standard input.
    _taken: Option<Taken>,
}
// ANCHOR_END: struct

impl Stdin {
    /// The standard input of this process.
    ///
    /// # Errors
    ///
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists) if another `Stdin` that was made here has not been dropped yet. Also
    /// if no thread can be started where one is needed.
    ///
    /// # Panics
    ///
    /// On Unix, if the thread is not in [`block_on`](crate::block_on).
    // ANCHOR: new
    pub fn new() -> io::Result<Stdin> {
        let taken = Taken::take()?;
        let mut stdin = match Input::watch_stdin() {
            Some(input) => Stdin::from(input),
            None => Stdin::on_thread(io::stdin())?,
        };
        stdin._taken = Some(taken);
        Ok(stdin)
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
        Ok(Stdin::from(Input::watch(io)?))
    }

    /// Reads on a thread of its own. If the `Stdin` is dropped while the thread is in a read, the thread ends when that read
    /// returns, and what it has read is lost.
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
            _taken: None,
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
                Err(error) => return Poll::Ready(Err(self.lines.io_error(error))),
            }
        }
    }
    // ANCHOR_END: poll_line

    fn error(&self, reason: Reason) -> LineError {
        self.lines.error(reason)
    }
}
