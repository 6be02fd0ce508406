//! Linux's epoll, and the one input that the executor of document 002 watches with it.

use std::{
    fs::File,
    os::fd::OwnedFd,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    task::{Context, Waker},
};

use rustix::{
    buffer::spare_capacity,
    event::{
        Timespec,
        epoll::{self, CreateFlags, Event, EventData, EventFlags},
    },
    io,
    pipe::{PipeFlags, pipe_with},
};

/// The timeout of a wait that does not sleep. A wait that returns no event with it would sleep without it.
pub(crate) const AT_ONCE: Option<&Timespec> = Some(&Timespec {
    tv_sec: 0,
    tv_nsec: 0,
});

pub(crate) fn new_epoll() -> OwnedFd {
    epoll::create(CreateFlags::CLOEXEC).expect("a descriptor for epoll")
}

/// One call of `epoll_wait`. Without a timeout it sleeps until there is an event.
pub(crate) fn wait(epoll: &OwnedFd, timeout: Option<&Timespec>) -> io::Result<Vec<Event>> {
    let mut events = Vec::with_capacity(10);
    epoll::wait(epoll, spare_capacity(&mut events), timeout)?;
    Ok(events)
}

/// How many of 10,000 waits return an event, as a reader would write it.
pub(crate) fn in_10_000(mut wait: impl FnMut() -> usize) -> String {
    match (0..10_000).map(|_| wait()).sum() {
        10_000 => "10,000".to_owned(),
        fewer => usize::to_string(&fewer),
    }
}

/// A pipe in the place of standard input, the epoll that watches it, and the document's two fields of the future that
/// waits for it.
pub(crate) struct Stdin {
    epoll: OwnedFd,
    /// In blocking mode, as standard input is.
    pub(crate) pipe: File,
    pub(crate) is_ready: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Stdin {
    /// The other one is the end that is written to.
    pub(crate) fn new(flags: EventFlags) -> (Arc<Stdin>, File) {
        let (pipe, writer) = pipe_with(PipeFlags::CLOEXEC).expect("two descriptors");
        let stdin = Stdin {
            epoll: new_epoll(),
            pipe: pipe.into(),
            is_ready: AtomicBool::new(false),
            waker: Mutex::new(None),
        };
        epoll::add(&stdin.epoll, &stdin.pipe, EventData::new_u64(0), flags)
            .expect("a pipe can be watched");
        (Arc::new(stdin), writer.into())
    }

    /// Keeps the waker of the poll that returns Pending.
    pub(crate) fn register(&self, cx: &Context<'_>) {
        let waker = cx.waker().clone();
        let earlier = self.waker.lock().expect("no panic here").replace(waker);
        drop(earlier);
    }

    /// Has the kernel report the next event, and no other after that.
    pub(crate) fn arm_once(&self) {
        let flags = EventFlags::IN | EventFlags::ONESHOT;
        epoll::modify(&self.epoll, &self.pipe, EventData::new_u64(0), flags)
            .expect("the pipe is being watched");
    }

    /// Waits for events, and calls `set_ready` for each. Returns how many there were.
    pub(crate) fn wait(&self, timeout: Option<&Timespec>) -> io::Result<usize> {
        let events = wait(&self.epoll, timeout)?;
        events.iter().for_each(|_| self.set_ready());
        Ok(events.len())
    }

    /// The document's callback.
    fn set_ready(&self) {
        self.is_ready.store(true, SeqCst);
        let waker = self.waker.lock().expect("no panic here").take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
