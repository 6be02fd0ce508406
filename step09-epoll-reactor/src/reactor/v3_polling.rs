//! The selector on the crate polling, which knows epoll, kqueue and what Windows has.

use std::{io, sync::Mutex, time::Duration};

use polling::{Events, Poller};

use super::{
    selector::{BorrowedIo, Event, Selector, Trigger},
    slab::Key,
};

/// The selector of every system that polling knows. One-shot, because that is what all of them can do.
#[derive(Debug)]
pub struct Polling {
    poller: Poller,
    /// The reports as polling has them. Kept, so that a wait allocates nothing.
    reports: Mutex<Events>,
}

impl Polling {
    /// Creates what the system needs for waiting.
    ///
    /// # Errors
    ///
    /// If the system has no descriptors left.
    pub fn new() -> io::Result<Polling> {
        Ok(Polling {
            poller: Poller::new()?,
            reports: Mutex::new(Events::new()),
        })
    }
}

impl Selector for Polling {
    fn trigger(&self) -> Trigger {
        Trigger::OneShot
    }

    #[expect(unsafe_code)]
    unsafe fn add(&self, io: BorrowedIo<'_>, key: Key, _one_shot: Trigger) -> io::Result<()> {
        let nothing = polling::Event::none(key.0);
        // SAFETY: the caller deletes the descriptor before it is closed.
        unsafe { self.poller.add(&io, nothing) }
    }

    fn arm(&self, io: BorrowedIo<'_>, interest: Event) -> io::Result<()> {
        let interest = polling::Event::new(interest.key.0, interest.read, interest.write);
        self.poller.modify(io, interest)
    }

    fn delete(&self, io: BorrowedIo<'_>) -> io::Result<()> {
        self.poller.delete(io)
    }

    fn wait(&self, timeout: Option<Duration>, events: &mut Vec<Event>) -> io::Result<()> {
        let mut reports = self
            .reports
            .lock()
            .expect("no code panics while it holds this lock");
        reports.clear();
        self.poller.wait(&mut reports, timeout)?;
        events.extend(reports.iter().map(|report| Event {
            key: Key(report.key),
            read: report.readable,
            write: report.writable,
            ended: false, // polling does not say
        }));
        Ok(())
    }

    fn notify(&self) -> io::Result<()> {
        self.poller.notify()
    }
}
