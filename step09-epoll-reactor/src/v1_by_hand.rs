//! Version 1: epoll and an eventfd by hand, for one descriptor, one waker and one task. Linux only.

use std::{
    fmt,
    future::poll_fn,
    io,
    marker::PhantomData,
    mem::MaybeUninit,
    os::fd::OwnedFd,
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Waker},
    time::Duration,
};

use rustix::{
    event::{
        EventfdFlags,
        epoll::{self, CreateFlags, EventData, EventFlags},
        eventfd,
    },
    fs::{OFlags, fcntl_getfl},
    io::{Errno, read, write},
};

use crate::{Handle, Park, Runtime, Trigger, context, v2_epoll::timespec};

/// What the kernel gives back with a report, so that we know whose it is.
const INPUT: u64 = 0;
const WAKEUP: u64 = 1;

/// One descriptor that can be waited for, and an executor that sleeps in that wait.
// ANCHOR: struct
struct Epoll {
    epoll: OwnedFd,
    /// A counter in the kernel. Adding to it ends the wait.
    wakeup: OwnedFd,
    input: OwnedFd,
    trigger: Trigger,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The kernel has reported the input, and it has not been read since.
    ready: bool,
    /// The task that waits for the input.
    waker: Option<Waker>,
    calls: Calls,
}
// ANCHOR_END: struct

/// How many system calls have been made so far.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Calls {
    /// Waits for a report, by the executor.
    pub waits: usize,
    /// Requests for one more report, which only [`Trigger::OneShot`] makes.
    pub arms: usize,
    /// Reads, of which some say that there is nothing to read.
    pub reads: usize,
}

/// The input of [`open`], for the future that is given to `block_on`. It is neither `Send` nor `Clone`, and a read borrows
/// it exclusively, so no second task can wait for it.
#[derive(Debug)]
pub struct Input {
    epoll: Arc<Epoll>,
    runtime: Handle,
    /// The end of the input has been read, and the descriptor is not watched any more.
    ended: bool,
    not_send: PhantomData<*const ()>,
}

/// Creates a runtime that waits for one descriptor, and the end of it that a future reads. The descriptor must be one that
/// epoll accepts: a pipe, a socket or a terminal. It may be a blocking one, unless it is watched for edges.
///
/// # Errors
///
/// `PermissionDenied` if it is a regular file. `InvalidInput` if a blocking descriptor is to be watched for edges. Also if
/// the system has no descriptors left.
///
/// ```
/// use std::{io::Write, os::unix::net::UnixStream};
/// use step09_epoll_reactor::{Trigger, v1_by_hand};
///
/// let (ours, mut theirs) = UnixStream::pair()?;
/// let (mut runtime, mut input) = v1_by_hand::open(ours, Trigger::OneShot)?;
/// theirs.write_all(b"39")?;
/// let mut buffer = [0; 8];
/// assert_eq!(runtime.block_on(input.read(&mut buffer))?, 2);
/// # std::io::Result::Ok(())
/// ```
// ANCHOR: open
pub fn open(input: impl Into<OwnedFd>, trigger: Trigger) -> io::Result<(Runtime, Input)> {
    let input = input.into();
    if trigger == Trigger::Edge && !fcntl_getfl(&input)?.contains(OFlags::NONBLOCK) {
        let blocking = "edges need a descriptor that does not block";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, blocking));
    }
    let epoll = epoll::create(CreateFlags::CLOEXEC)?;
    let wakeup = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
    let flags = match trigger {
        Trigger::Level => EventFlags::IN,
        Trigger::OneShot => EventFlags::ONESHOT, // no data, until it is armed
        Trigger::Edge => EventFlags::IN | EventFlags::ET,
    };
    epoll::add(&epoll, &input, EventData::new_u64(INPUT), flags)?;
    // Edge-triggered, so a write ends one wait and no later one, and the counter need never be read.
    let edge = EventFlags::IN | EventFlags::ET;
    epoll::add(&epoll, &wakeup, EventData::new_u64(WAKEUP), edge)?;
    let epoll = Arc::new(Epoll {
        epoll,
        wakeup,
        input,
        trigger,
        state: Mutex::default(),
    });
    let runtime = Runtime::with_park(Arc::clone(&epoll));
    let input = Input {
        epoll,
        runtime: runtime.handle(),
        ended: false,
        not_send: PhantomData,
    };
    Ok((runtime, input))
}
// ANCHOR_END: open

impl Input {
    /// Waits until there is something to read, and reads it with one call. Returns the number of bytes, which is 0 at the
    /// end of the input.
    ///
    /// # Errors
    ///
    /// Those of the system.
    ///
    /// # Panics
    ///
    /// If it is polled outside the `block_on` of its own runtime. Inside, the thread that reads is the one that hears from
    /// the kernel, so no report comes between a read and what is noted of it. Version 2 does without this rule.
    // ANCHOR: read
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.ended {
            poll_fn(|cx| {
                let own = context::current().is(&self.runtime);
                assert!(own, "an input is read inside the `block_on` of its runtime");
                self.epoll.poll_ready(cx)
            })
            .await?;
            let result = read(&self.epoll.input, &mut *buffer);
            // An edge is reported once, so the input counts as ready until it would block. With the other two, one
            // report allows for one read, because a second might block the thread.
            let mut state = self.epoll.lock();
            if self.epoll.trigger != Trigger::Edge || result == Err(Errno::AGAIN) {
                state.ready = false;
            }
            state.calls.reads += 1;
            drop(state);
            match result {
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

    /// How many system calls have been made so far, by the executor and by reads.
    pub fn calls(&self) -> Calls {
        self.epoll.lock().calls
    }
}

impl Drop for Input {
    /// Drops the waker of a read that was given up. It leads to the runtime, and the runtime to this epoll, so the two would
    /// keep each other, and the input would stay open.
    fn drop(&mut self) {
        let waker = self.epoll.lock().waker.take();
        drop(waker); // without the lock
    }
}

impl Epoll {
    // ANCHOR: ready
    fn poll_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Before the lock is taken, because we do not control `clone`.
        let waker = cx.waker().clone();
        let mut state = self.lock();
        if state.ready {
            return Poll::Ready(Ok(()));
        }
        let earlier = state.waker.replace(waker);
        let arms = self.trigger == Trigger::OneShot;
        state.calls.arms += usize::from(arms);
        drop(state);
        drop(earlier);
        if arms {
            let flags = EventFlags::IN | EventFlags::ONESHOT;
            epoll::modify(&self.epoll, &self.input, EventData::new_u64(INPUT), flags)?;
        }
        Poll::Pending
    }
    // ANCHOR_END: ready

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("no code panics while it holds this lock")
    }
}

// ANCHOR: park
impl Park for Epoll {
    fn park(&self, timeout: Option<Duration>, due: &mut Vec<Waker>) {
        let mut space = [const { MaybeUninit::uninit() }; 2];
        let limit = timeout.map(timespec);
        let reports = match epoll::wait(&self.epoll, &mut space, limit.as_ref()) {
            Ok((reports, _)) => reports,
            // A signal, such as the one that continues a stopped program, is no reason to do anything.
            Err(Errno::INTR) => &mut [],
            Err(error) => panic!("epoll is open, and yet: {error}"),
        };
        let mut state = self.lock();
        state.calls.waits += 1;
        if reports.iter().any(|report| report.data.u64() == INPUT) {
            state.ready = true;
            due.extend(state.waker.take());
        }
    }

    fn unpark(&self) {
        // An error: the counter is full, so the wait ends already.
        let _ = write(&self.wakeup, &1_u64.to_ne_bytes());
    }
}
// ANCHOR_END: park

impl fmt::Debug for Epoll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Epoll({:?})", self.trigger) // not the state, which would be printed under its lock
    }
}
