//! What is known of a descriptor: whether to try an operation, and which task waits.

use std::{io, mem, task::Waker};

use super::selector::Direction;

/// Both directions of a descriptor.
#[derive(Debug, Default)]
pub(super) struct Readiness {
    pub(super) read: Side,
    pub(super) write: Side,
    /// There has been an event with [`Event::ended`](super::selector::Event::ended).
    pub(super) ended: bool,
    /// The runtime has been dropped, so no event will come.
    pub(super) closed: bool,
}

// ANCHOR: struct
#[derive(Debug, Default)]
pub(super) struct Side {
    /// Whether to try. Cleared when the kernel has no more to give, set by the next event.
    pub(super) ready: bool,
    /// How many events there have been.
    tick: Tick,
    /// The task that waits. There is at most one.
    pub(super) waker: Option<Waker>,
}
// ANCHOR_END: struct

/// The number of events that there had been when a task was allowed to try.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tick(u64);

impl Readiness {
    pub(super) fn side(&mut self, direction: Direction) -> &mut Side {
        match direction {
            Direction::Read => &mut self.read,
            Direction::Write => &mut self.write,
        }
    }

    /// Notes that there is no need to try, unless there has been an event since the task was allowed to.
    // ANCHOR: clear
    pub(super) fn clear(&mut self, direction: Direction, tick: Tick) {
        let side = self.side(direction);
        // If the tick differs, the executor's thread has noted an event after the task was allowed
        // to try. The answer "would block" may be older than this event, so the event counts.
        if side.tick == tick {
            side.ready = false;
        }
    }
    // ANCHOR_END: clear

    /// The answer to a task that need not wait.
    pub(super) fn answer(&mut self, direction: Direction) -> Option<io::Result<Tick>> {
        if self.closed {
            return Some(Err(gone()));
        }
        let side = self.side(direction);
        side.ready.then_some(Ok(side.tick))
    }
}

/// What every operation says after the runtime has been dropped.
pub(crate) fn gone() -> io::Error {
    io::Error::other("the runtime of this socket or input has been dropped")
}

// ANCHOR: side
impl Side {
    pub(super) fn report(&mut self, due: &mut Vec<Waker>) {
        self.ready = true;
        self.tick = Tick(self.tick.0 + 1);
        due.extend(mem::take(&mut self.waker));
    }
}
// ANCHOR_END: side
