//! Version 1: epoll and an eventfd by hand, for one descriptor and one task. Linux only.

use std::{
    future::poll_fn,
    io,
    mem::MaybeUninit,
    os::fd::OwnedFd,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Poll, Waker},
    time::Duration,
};

use futures::task::AtomicWaker;
use rustix::{
    event::{
        EventfdFlags,
        epoll::{self, CreateFlags, EventData, EventFlags},
        eventfd,
    },
    io::{Errno, read, write},
};

use crate::{Park, v2_epoll::timespec};

// The kernel returns one of these with each report.
const INPUT: u64 = 0;
const WAKEUP: u64 = 1;

/// A place to sleep that also waits for one descriptor.
// ANCHOR: struct
#[derive(Debug)]
pub struct Epoll {
    epoll: OwnedFd,
    /// A counter in the kernel. Adding to it ends the wait.
    wakeup: OwnedFd,
    input: OwnedFd,
    /// The kernel has reported the input, and it has not been read since.
    ready: AtomicBool,
    /// The task that waits for the input.
    waker: AtomicWaker,
}
// ANCHOR_END: struct

/// The input of [`open`]. Read it in the `block_on` of the runtime that sleeps in its [`Epoll`].
#[derive(Debug)]
pub struct Input {
    epoll: Arc<Epoll>,
    /// The end of the input has been read, and the descriptor is not watched any more.
    ended: bool,
}

/// Creates a place to sleep that waits for one descriptor, and the end of it that a task reads. The descriptor must be one
/// that epoll accepts: a pipe, a socket or a terminal. It may be a blocking one.
///
/// # Errors
///
/// `PermissionDenied` if it is a regular file. Also if the system has no descriptors left.
pub fn open(input: impl Into<OwnedFd>) -> io::Result<(Arc<Epoll>, Input)> {
    let input = input.into();
    let epoll = epoll::create(CreateFlags::CLOEXEC)?;
    let wakeup = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
    epoll::add(&epoll, &input, EventData::new_u64(INPUT), EventFlags::IN)?;
    // By its edge, a write ends one wait and no later one, and the counter need never be read.
    let edge = EventFlags::IN | EventFlags::ET;
    epoll::add(&epoll, &wakeup, EventData::new_u64(WAKEUP), edge)?;
    let epoll = Arc::new(Epoll {
        epoll,
        wakeup,
        input,
        ready: AtomicBool::new(false),
        waker: AtomicWaker::new(),
    });
    let input = Input {
        epoll: Arc::clone(&epoll),
        ended: false,
    };
    Ok((epoll, input))
}

impl Input {
    /// Waits until there is something to read, and reads it with one call. Returns the number of bytes, which is 0 at the
    /// end of the input.
    ///
    /// # Errors
    ///
    /// Those of the system.
    // ANCHOR: read
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.ended {
            poll_fn(|cx| {
                if self.epoll.is_ready() {
                    return Poll::Ready(());
                }
                self.epoll.waker.register(cx.waker());
                // Again, because the executor's thread may have noted a report before the waker was there.
                if self.epoll.is_ready() {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            })
            .await;
            // Once, because a second read might block. What is left is reported again.
            match read(&self.epoll.input, &mut *buffer) {
                // The end of the input would be reported for as long as it is watched.
                Ok(0) if !buffer.is_empty() => {
                    epoll::delete(&self.epoll.epoll, &self.epoll.input)?;
                    self.ended = true;
                }
                Err(Errno::AGAIN | Errno::INTR) => {}
                result => return Ok(result?),
            }
        }
        Ok(0)
    }
    // ANCHOR_END: read
}

impl Drop for Input {
    /// Drops the waker of a read that was given up. It leads to the runtime, and the runtime to this epoll, so the two would
    /// keep each other, and the input would stay open.
    fn drop(&mut self) {
        drop(self.epoll.waker.take());
    }
}

impl Epoll {
    /// Whether there is a report that allows for a read. It is used up by this.
    fn is_ready(&self) -> bool {
        self.ready.swap(false, Ordering::Acquire)
    }
}

// ANCHOR: park
impl Park for Epoll {
    fn park(&self, timeout: Option<Duration>, due: &mut Vec<Waker>) {
        let mut space = [const { MaybeUninit::uninit() }; 2];
        let limit = timeout.map(timespec);
        let reports = match epoll::wait(&self.epoll, &mut space, limit.as_ref()) {
            Ok((reports, _)) => reports,
            // A signal, such as the one that continues a stopped program, is no error.
            Err(Errno::INTR) => &mut [],
            Err(error) => panic!("epoll is open, and yet: {error}"),
        };
        if reports.iter().any(|report| report.data.u64() == INPUT) {
            self.ready.store(true, Ordering::Release);
            due.extend(self.waker.take());
        }
    }

    fn unpark(&self) {
        // It fails only if the counter is full, after 2⁶⁴ wakes.
        let _ = write(&self.wakeup, &1_u64.to_ne_bytes());
    }
}
// ANCHOR_END: park
