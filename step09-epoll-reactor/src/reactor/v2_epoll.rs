//! The selector on epoll by hand, with any number of descriptors. Linux only.

use std::{io, mem::MaybeUninit, os::fd::OwnedFd, time::Duration};

use rustix::{
    event::{
        EventfdFlags, Timespec,
        epoll::{self, CreateFlags, EventData, EventFlags},
        eventfd,
    },
    io::{Errno, write},
};

use super::{
    selector::{BorrowedIo, Event, Selector, Trigger},
    slab::Key,
};

/// The key of the eventfd. No source has it: see [`Key`].
const WAKEUP: u64 = u64::MAX;

/// An epoll instance, and an eventfd that ends its wait.
#[derive(Debug)]
// ANCHOR: struct
pub struct Epoll {
    epoll: OwnedFd,
    wakeup: OwnedFd,
}
// ANCHOR_END: struct

impl Epoll {
    /// Creates the two descriptors.
    ///
    /// # Errors
    ///
    /// If the system has no descriptors left.
    // ANCHOR: new
    pub fn new() -> io::Result<Epoll> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let wakeup = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        // Edge-triggered, so a write ends one wait and no later one, and the counter need never be read.
        let flags = EventFlags::IN | EventFlags::ET;
        epoll::add(&epoll, &wakeup, EventData::new_u64(WAKEUP), flags)?;
        Ok(Epoll { epoll, wakeup })
    }
    // ANCHOR_END: new
}

impl Selector for Epoll {
    fn trigger(&self) -> Trigger {
        Trigger::Edge
    }

    // ANCHOR: add
    // `unsafe`, because the trait asks for it. Here a descriptor that is not deleted only leads to reports with an old key.
    #[expect(unsafe_code)]
    unsafe fn add(&self, io: BorrowedIo<'_>, key: Key, trigger: Trigger) -> io::Result<()> {
        let both = EventFlags::IN | EventFlags::OUT | EventFlags::RDHUP | EventFlags::PRI;
        let flags = match trigger {
            // Never: a socket that can be written would end every wait.
            Trigger::Level => return Err(io::ErrorKind::InvalidInput.into()),
            Trigger::Edge => both | EventFlags::ET,
            Trigger::OneShot => EventFlags::ONESHOT,
        };
        Ok(epoll::add(&self.epoll, io, data(key), flags)?)
    }

    fn arm(&self, io: BorrowedIo<'_>, interest: Event) -> io::Result<()> {
        let mut flags = EventFlags::ONESHOT;
        flags.set(EventFlags::IN | EventFlags::RDHUP, interest.read);
        flags.set(EventFlags::OUT, interest.write);
        Ok(epoll::modify(&self.epoll, io, data(interest.key), flags)?)
    }

    fn delete(&self, io: BorrowedIo<'_>) -> io::Result<()> {
        Ok(epoll::delete(&self.epoll, io)?)
    }
    // ANCHOR_END: add

    // ANCHOR: wait
    fn wait(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        // If more descriptors are ready, the next wait reports them.
        let mut space = [const { MaybeUninit::uninit() }; 256];
        let limit = timeout.map(timespec);
        let (reports, _) = epoll::wait(&self.epoll, &mut space, limit.as_ref())?;
        // A peer that has gone is reported in both directions: the read or the write says what it was.
        let gone = EventFlags::HUP | EventFlags::ERR;
        let readable = EventFlags::IN | EventFlags::RDHUP | gone;
        let writable = EventFlags::OUT | gone;
        // A read stops before an urgent byte, although there may be more behind it.
        let ended = EventFlags::RDHUP | EventFlags::PRI | gone;
        let reports = reports.iter().filter(|report| report.data.u64() != WAKEUP);
        events.extend(reports.map(|report| {
            let flags = report.flags;
            Event {
                key: Key(report.data.u64() as usize),
                read: flags.intersects(readable),
                write: flags.intersects(writable),
                ended: flags.intersects(ended),
            }
        }));
        Ok(())
    }

    fn notify(&self) -> io::Result<()> {
        match write(&self.wakeup, &1_u64.to_ne_bytes()) {
            // The counter is full, so there are reports already.
            Ok(_) | Err(Errno::AGAIN) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
    // ANCHOR_END: wait
}

fn data(key: Key) -> EventData {
    EventData::new_u64(key.0 as u64)
}

/// The time limit as the kernel wants it: in whole milliseconds, rounded up, because a sleep that is too short would be
/// followed by another.
pub(crate) fn timespec(limit: Duration) -> Timespec {
    let milliseconds = limit.as_nanos().div_ceil(1_000_000);
    let milliseconds = i32::try_from(milliseconds).unwrap_or(i32::MAX);
    Timespec {
        tv_sec: i64::from(milliseconds / 1_000),
        tv_nsec: i64::from(milliseconds % 1_000) * 1_000_000,
    }
}
