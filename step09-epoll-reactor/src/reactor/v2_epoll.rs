//! The selector on epoll by hand, with any number of descriptors. Linux only.

use std::{
    io,
    mem::MaybeUninit,
    os::fd::OwnedFd,
    time::{Duration, Instant},
};

use rustix::{
    event::{
        EventfdFlags, PollFd, PollFlags, Timespec,
        epoll::{self, CreateFlags, EventData, EventFlags},
        eventfd, poll,
    },
    io::{Errno, write},
};

use super::{
    selector::{BorrowedIo, Event, Selector, Trigger},
    slab::Key,
};

/// The key of the eventfd. No source has it: see [`Key`].
const WAKEUP: u64 = u64::MAX;

/// No wait is longer than a day, so no limit is too long for the kernel. The executor then finds nothing to do and waits again.
const LONGEST: Duration = Duration::from_secs(86_400);

/// An epoll instance, and an eventfd that ends its wait.
#[derive(Debug)]
pub struct Epoll {
    epoll: OwnedFd,
    wakeup: OwnedFd,
}

impl Epoll {
    /// Creates the two descriptors.
    ///
    /// # Errors
    ///
    /// If the system has no descriptors left.
    pub fn new() -> io::Result<Epoll> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let wakeup = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        // By its edge, a write ends one wait and no later one, and the counter need never be read.
        let flags = EventFlags::IN | EventFlags::ET;
        epoll::add(&epoll, &wakeup, EventData::new_u64(WAKEUP), flags)?;
        Ok(Epoll { epoll, wakeup })
    }
}

impl Selector for Epoll {
    fn trigger(&self) -> Trigger {
        Trigger::Edge
    }

    // ANCHOR: add
    // `unsafe`, because the trait asks for it. Here a descriptor that is not deleted only leads
    // to reports with an old key.
    #[expect(unsafe_code)]
    unsafe fn add(&self, io: BorrowedIo<'_>, key: Key, trigger: Trigger) -> io::Result<()> {
        let both = EventFlags::IN | EventFlags::OUT | EventFlags::RDHUP | EventFlags::PRI;
        let flags = match trigger {
            // It would never sleep, because a socket that can be written would end every wait.
            Trigger::Level => return Err(io::ErrorKind::InvalidInput.into()),
            Trigger::Edge => both | EventFlags::ET,
            Trigger::OneShot => EventFlags::ONESHOT,
        };
        // ANCHOR: epoll_add
        Ok(epoll::add(&self.epoll, io, data(key), flags)?)
        // ANCHOR_END: epoll_add
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
        let limit = timeout.map(|limit| limit.min(LONGEST));
        // A busy executor only looks, with a limit of zero, and does so often: that reads no clock.
        let end = limit
            .filter(|limit| !limit.is_zero())
            .map(|limit| Instant::now() + limit);
        let whole = limit.map(|limit| timespec(whole_milliseconds(limit)));
        // ANCHOR: epoll_wait
        let (mut reports, _) = epoll::wait(&self.epoll, &mut space, whole.as_ref())?;
        // ANCHOR_END: epoll_wait
        let rest = end.map(|end| end.saturating_duration_since(Instant::now()));
        // epoll counts whole milliseconds, and `ppoll` nanoseconds. `ppoll` waits for the rest.
        if let Some(rest) = rest.filter(|rest| reports.is_empty() && !rest.is_zero()) {
            let mut epoll = [PollFd::new(&self.epoll, PollFlags::IN)];
            // After an error, such as a signal, the executor waits again.
            let _ = poll(&mut epoll, Some(&timespec(rest)));
            let at_once = timespec(Duration::ZERO);
            (reports, _) = epoll::wait(&self.epoll, &mut space, Some(&at_once))?;
        }
        // A lost peer is reported in both directions: the read or the write says what it was.
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
            // AGAIN: the counter is full, after 2⁶⁴ wakes.
            Ok(_) | Err(Errno::AGAIN) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
    // ANCHOR_END: wait
}

fn data(key: Key) -> EventData {
    EventData::new_u64(key.0 as u64)
}

/// The time, rounded down to what epoll can count.
fn whole_milliseconds(time: Duration) -> Duration {
    time - Duration::from_nanos(u64::from(time.subsec_nanos() % 1_000_000))
}

/// A time limit as the kernel wants it.
pub(crate) fn timespec(limit: Duration) -> Timespec {
    limit.min(LONGEST).try_into().expect("a day is not long")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd;

    #[test]
    fn epoll_waits_for_less_than_the_limit_unless_that_is_whole_milliseconds() {
        for (limit, whole) in [
            (0, 0),
            (1, 0),
            (999, 0),
            (1_000, 1),
            (1_500, 1),
            (59_999, 59),
        ] {
            let rounded = whole_milliseconds(Duration::from_micros(limit));
            assert_eq!(rounded, Duration::from_millis(whole), "{limit} µs");
        }
    }

    #[test]
    fn levels_are_refused() {
        let epoll = Epoll::new().unwrap();
        // SAFETY: it is refused, so there is nothing to delete.
        #[expect(unsafe_code)]
        let refused = unsafe { epoll.add(epoll.wakeup.as_fd(), Key(0), Trigger::Level) };
        assert_eq!(refused.unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }
}
