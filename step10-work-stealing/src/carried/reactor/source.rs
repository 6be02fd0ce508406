//! A descriptor that the reactor watches: who asks for reports of it, and what they change.

use std::{
    fmt, io,
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Waker},
};

use super::{
    readiness::{Readiness, Tick},
    selector::{BorrowedIo, Direction, Event, Selector, Trigger},
    slab::Key,
};

/// A descriptor that the reactor watches.
pub(crate) struct Source {
    /// Not used after [`end`](Source::end). Only the number of the descriptor, so that the reactor never drops an object.
    pub(crate) io: BorrowedIo<'static>,
    pub(crate) key: Key,
    selector: Arc<dyn Selector>,
    trigger: Trigger,
    state: Mutex<Readiness>,
}

impl Source {
    /// A source that is tried before it is waited for if it is `ready`.
    pub(crate) fn new(
        io: BorrowedIo<'static>,
        key: Key,
        selector: Arc<dyn Selector>,
        trigger: Trigger,
        ready: bool,
    ) -> Source {
        let mut state = Readiness::default();
        state.read.ready = ready;
        state.write.ready = ready;
        Source {
            io,
            key,
            selector,
            trigger,
            state: Mutex::new(state),
        }
    }

    /// Ready if the operation may be tried. Until then, keeps the waker of this poll in place of any earlier one.
    // ANCHOR: poll_ready
    pub(crate) fn poll_ready(
        &self,
        direction: Direction,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<Tick>> {
        {
            let mut state = self.lock();
            if let Some(answer) = state.answer(direction) {
                return Poll::Ready(answer);
            }
            let kept = &state.side(direction).waker;
            if kept.as_ref().is_some_and(|kept| kept.will_wake(cx.waker())) {
                return Poll::Pending;
            }
        }
        // The lock is free, because the source does not control `clone`.
        let waker = cx.waker().clone();
        let mut state = self.lock();
        if let Some(answer) = state.answer(direction) {
            return Poll::Ready(answer); // the executor's thread noted an event while the lock was free
        }
        let earlier = state.side(direction).waker.replace(waker);
        if let Err(error) = self.arm(&state) {
            let unused = state.side(direction).waker.take();
            drop(state);
            drop((earlier, unused));
            return Poll::Ready(Err(error));
        }
        drop(state);
        drop(earlier);
        Poll::Pending
    }
    // ANCHOR_END: poll_ready

    /// Notes that an operation would have blocked.
    pub(crate) fn clear(&self, direction: Direction, tick: Tick) {
        self.lock().clear(direction, tick);
    }

    /// Notes that a read has not filled its buffer. The next one would block, and what arrives now will be reported by an edge. If
    /// the end has been reported, or the source is one-shot, the next one is to be tried.
    // ANCHOR: emptied
    pub(crate) fn emptied(&self, tick: Tick) {
        let mut state = self.lock();
        if self.trigger == Trigger::Edge && !state.ended {
            state.clear(Direction::Read, tick);
        }
    }
    // ANCHOR_END: emptied

    /// Notes an event, and adds the wakers of the tasks that waited for it to `due`.
    // ANCHOR: report
    pub(crate) fn report(&self, event: Event, due: &mut Vec<Waker>) {
        let mut state = self.lock();
        state.ended |= event.ended;
        if event.read {
            state.read.report(due);
        }
        if event.write {
            state.write.report(due);
        }
        // One report has disarmed both directions, and one of them may still be waited for.
        if self.arm(&state).is_err() {
            // Nothing will report it now. The tasks try, and get the error themselves.
            state.read.report(due);
            state.write.report(due);
        }
    }
    // ANCHOR_END: report

    /// Asks for a report of the directions that tasks wait for, if the kernel has to be asked each time.
    // ANCHOR: arm
    fn arm(&self, state: &Readiness) -> io::Result<()> {
        let interest = Event {
            key: self.key,
            read: state.read.waker.is_some(),
            write: state.write.waker.is_some(),
            ended: false,
        };
        if self.trigger == Trigger::OneShot && (interest.read || interest.write) {
            // The lock is still held, because each call replaces the one before it. If it were free, two
            // tasks could call in the other order, and the last call would not know of both.
            self.selector.arm(self.io, interest)?;
        }
        Ok(())
    }
    // ANCHOR_END: arm

    /// Lets every operation fail from now on, and adds the wakers of the tasks that wait to `due`.
    pub(crate) fn close(&self, due: &mut Vec<Waker>) {
        let mut state = self.lock();
        state.closed = true;
        due.extend(state.read.waker.take());
        due.extend(state.write.waker.take());
    }

    /// Takes the wakers, for the caller to drop without a lock. No task waits any more, so no report arms the descriptor again.
    pub(crate) fn end(&self) -> [Option<Waker>; 2] {
        let mut state = self.lock();
        [state.read.waker.take(), state.write.waker.take()]
    }

    fn lock(&self) -> MutexGuard<'_, Readiness> {
        self.state
            .lock()
            .expect("no code panics while it holds this lock")
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer = self.lock().answer(Direction::Read);
        write!(f, "Source({:?}, {answer:?})", self.key) // without the lock, as this writes by code that we do not control
    }
}
