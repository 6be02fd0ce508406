//! What a reactor asks of the kernel: the five calls that epoll, kqueue and their like have in common.

use std::{io, time::Duration};

use super::slab::Key;

#[cfg(unix)]
pub use std::os::fd::{AsFd as AsIo, BorrowedFd as BorrowedIo};
#[cfg(windows)]
pub use std::os::windows::io::{AsSocket as AsIo, BorrowedSocket as BorrowedIo};

/// The descriptor of an object, for longer than the object is borrowed. On Windows only a socket has one that can be watched.
///
/// # Safety
///
/// It must not be used once the object has been dropped.
#[expect(unsafe_code)]
pub(crate) unsafe fn lend(io: &dyn AsIo) -> BorrowedIo<'static> {
    // SAFETY: it is open until the object is dropped, and the caller keeps to that.
    #[cfg(unix)]
    return unsafe { BorrowedIo::borrow_raw(std::os::fd::AsRawFd::as_raw_fd(&io.as_fd())) };
    // SAFETY: as above.
    #[cfg(windows)]
    return unsafe {
        BorrowedIo::borrow_raw(std::os::windows::io::AsRawSocket::as_raw_socket(
            &io.as_socket(),
        ))
    };
}

/// Reading or writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Data has arrived, or the end of the input, or a new connection.
    Read,
    /// There is room for data that is to be sent, or the connection has been made.
    Write,
}

/// A descriptor, and one direction of it or both: what the kernel reports as ready, or is asked to report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// The descriptor.
    pub key: Key,
    /// A read would not block.
    pub read: bool,
    /// A write would not block.
    pub write: bool,
    /// The input may have ended or be broken, or something urgent may be in it. So a read that does not fill its buffer may have
    /// left something that an [`Edge`](Trigger::Edge) never reports again. No other trigger needs it.
    pub ended: bool,
}

/// When does the kernel report a descriptor that is ready?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// In every wait, for as long as the descriptor is ready. No call is needed to hear of the next event.
    Level,
    /// Once, and then never again until the descriptor is armed again, which is a system call.
    OneShot,
    /// Once for each change: when data arrives, and again when more arrives. No call is needed to hear of the next event,
    /// but what is left unread is not reported again before more arrives.
    Edge,
}

/// Watches descriptors in the kernel.
pub trait Selector: Send + Sync {
    /// How this selector watches sockets. It is not [`Level`](Trigger::Level): there is nearly
    /// always room to send more, and such a socket would end every wait at once.
    fn trigger(&self) -> Trigger;

    /// Starts to watch a descriptor. One-shot, it reports no data until it is armed. An error,
    /// or a peer that has gone, may be reported once before that.
    ///
    /// # Safety
    ///
    /// The descriptor must be [deleted](Selector::delete) before it is closed, unless the
    /// selector is dropped first.
    #[expect(unsafe_code)]
    unsafe fn add(&self, io: BorrowedIo<'_>, key: Key, trigger: Trigger) -> io::Result<()>;

    /// Asks for one report of a one-shot descriptor, in place of any that was asked for before.
    fn arm(&self, io: BorrowedIo<'_>, interest: Event) -> io::Result<()>;

    /// Stops watching a descriptor.
    fn delete(&self, io: BorrowedIo<'_>) -> io::Result<()>;

    /// Blocks until a descriptor is ready, the time is over, or [`notify`](Selector::notify) is
    /// called. Adds what happened to `events`. If it fails with
    /// [`Interrupted`](io::ErrorKind::Interrupted), nothing happened.
    fn wait(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()>;

    /// Ends the wait of the thread in [`wait`](Selector::wait), or the next wait if there is none.
    fn notify(&self) -> io::Result<()>;
}
