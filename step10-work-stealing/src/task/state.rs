//! The state of a task, as stage 08 has it, and in the same word the number of references to the task.
//!
//! Every change of the word is one atomic step with a method here, named for what has happened. New here are the
//! references, [`unwait`](State::unwait), which lets the join handle into its place without a lock, and
//! [`claim`](State::claim), by which a shutdown takes the future of a task that may be in a queue.

use std::{fmt, process};

use crate::sync::atomic::{AtomicUsize, Ordering};

/// The task has to be polled. Without `RUNNING` and `FINISHED`: it is in a queue or about to be put there. With `RUNNING`:
/// it was woken or aborted meanwhile, and the worker that polls it puts it into a queue afterwards, or drops its future.
const SCHEDULED: usize = 1 << 0;

/// One thread has the future, and no other thread may touch it.
const RUNNING: usize = 1 << 1;

/// The future is to be dropped rather than polled. Never clear again.
const CANCELLED: usize = 1 << 2;

/// The future has been dropped, and the result is stored. Never clear again.
const FINISHED: usize = 1 << 3;

/// There is a join handle, which will take the result or drop it.
const HANDLE: usize = 1 << 4;

/// The join handle has stored a waker. Until the handle clears the bit, or the task is finished, nobody touches the waker.
/// The thread that finishes the task takes it.
const WAITING: usize = 1 << 5;

/// The rest of the word counts the references, in steps of this.
const REFERENCE: usize = 1 << 6;

/// Half of all the references that the word can count. Only a program that leaks them comes this far.
const LEAKED: usize = 1 << (usize::BITS - 1);

/// The state of a task, and the number of references to it.
pub(crate) struct State(AtomicUsize);

/// What to do with a task that has been taken from a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub(crate) enum Start {
    /// Poll it.
    Poll,
    /// Drop its future, because the task was cancelled.
    Cancel,
    /// Nothing, because since the task was put there a shutdown has taken its future, or another worker has polled it.
    Nothing,
}

/// What to do with a task whose poll has returned `Pending`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub(crate) enum Idle {
    /// Nothing. The next wake puts it into a queue. The reference of the caller is given up, in the same step.
    Nothing,
    /// Put it into a queue, because it was woken during the poll.
    Schedule,
    /// Drop its future, because the task was cancelled during the poll.
    Cancel,
}

/// Who is interested in a task that has finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub(crate) struct Finish {
    /// Whether there is a join handle. If not, the caller must drop the result.
    pub(crate) handle: bool,
    /// Whether the join handle has stored a waker. If so, the caller must take it and call it.
    pub(crate) waiting: bool,
}

impl State {
    /// The state of a new task, which is to be polled and has a handle and this many references.
    pub(crate) fn spawned(references: usize) -> State {
        State(AtomicUsize::new(
            SCHEDULED | HANDLE | (references * REFERENCE),
        ))
    }

    /// The task is woken. If `true`, the caller must put it into a queue.
    #[must_use]
    pub(crate) fn wake(&self) -> bool {
        // This writes even if the bit is set already, so that the next poll sees what was done before this wake.
        is_idle(self.0.fetch_or(SCHEDULED, Ordering::AcqRel))
    }

    /// The task is aborted. If `true`, the caller must put it into a queue, and a worker will drop its future.
    #[must_use]
    pub(crate) fn abort(&self) -> bool {
        is_idle(self.0.fetch_or(CANCELLED | SCHEDULED, Ordering::AcqRel))
    }

    /// A worker has taken the task from a queue. Unless the result is [`Start::Nothing`], it has the future now.
    pub(crate) fn start(&self) -> Start {
        let waits_for_a_poll = |state| state & (SCHEDULED | RUNNING | FINISHED) == SCHEDULED;
        match self.update(|state| waits_for_a_poll(state).then_some((state | RUNNING) & !SCHEDULED))
        {
            Err(_) => Start::Nothing,
            Ok(state) if state & CANCELLED != 0 => Start::Cancel,
            Ok(_) => Start::Poll,
        }
    }

    /// The poll has returned `Pending`. Unless the result is [`Idle::Cancel`], the worker no longer has the future. The task is
    /// in the list, so there is one more reference than the worker's.
    pub(crate) fn idle(&self) -> Idle {
        let before = self.update(|state| match state & (CANCELLED | SCHEDULED) {
            0 => Some((state & !RUNNING) - REFERENCE),
            SCHEDULED => Some(state & !RUNNING),
            _ => None,
        });
        match before {
            Err(_) => Idle::Cancel,
            Ok(state) if state & SCHEDULED != 0 => Idle::Schedule,
            Ok(_) => Idle::Nothing,
        }
    }

    /// The runtime shuts down. If `true`, the caller has the future now, and must drop it. If `false`, the task is
    /// finished, or a worker has the future and will drop it.
    #[must_use]
    pub(crate) fn claim(&self) -> bool {
        let free = |state| state & (RUNNING | FINISHED) == 0;
        let claim = |state| CANCELLED | if free(state) { RUNNING } else { 0 };
        self.update(|state| Some(state | claim(state)))
            .is_ok_and(free)
    }

    /// The future has been dropped, and its result is stored.
    pub(crate) fn finish(&self) -> Finish {
        // RUNNING is set and FINISHED is clear, and this flips both.
        let before = self.0.fetch_xor(RUNNING | FINISHED, Ordering::AcqRel);
        Finish {
            handle: before & HANDLE != 0,
            waiting: before & WAITING != 0,
        }
    }

    /// The join handle has stored a waker. If `true`, the task is finished, and the waker still belongs to the handle.
    #[must_use]
    pub(crate) fn wait(&self) -> bool {
        self.0.fetch_or(WAITING, Ordering::AcqRel) & FINISHED != 0
    }

    /// The join handle wants its waker back, to replace or to drop it. If `false`, the task is finished, and the waker
    /// belongs to the thread that has finished it.
    #[must_use]
    pub(crate) fn unwait(&self) -> bool {
        self.update(|state| (state & FINISHED == 0).then_some(state & !WAITING))
            .is_ok()
    }

    /// The join handle is dropped. If `true`, the task is finished, and the caller must drop the result.
    #[must_use]
    pub(crate) fn detach(&self) -> bool {
        self.0.fetch_and(!HANDLE, Ordering::AcqRel) & FINISHED != 0
    }

    /// Whether the future has been dropped and its result stored.
    pub(crate) fn is_finished(&self) -> bool {
        self.0.load(Ordering::Acquire) & FINISHED != 0
    }

    /// There is one more reference.
    pub(crate) fn add_reference(&self) {
        // The caller has a reference, so the count cannot become zero meanwhile, and no order is needed.
        let before = self.0.fetch_add(REFERENCE, Ordering::Relaxed);
        if before & LEAKED != 0 {
            process::abort(); // before the count overflows, and a task in use is freed
        }
    }

    /// A reference is dropped. If `true`, it was the last, and the caller must free the task.
    #[must_use]
    pub(crate) fn drop_reference(&self) -> bool {
        // `Release`, so that what was done with this reference happens before the task is freed, and `Acquire`, so that the
        // thread that frees it does so after all that was done with the others.
        self.0.fetch_sub(REFERENCE, Ordering::AcqRel) / REFERENCE == 1
    }

    /// Changes the word as `change` says, or leaves it if `change` says `None`. Returns the word before.
    fn update(&self, change: impl Fn(usize) -> Option<usize>) -> Result<usize, usize> {
        self.0
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, change)
    }
}

fn is_idle(state: usize) -> bool {
    state & (SCHEDULED | RUNNING | FINISHED) == 0
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.0.load(Ordering::Acquire);
        let names = "SCHEDULED RUNNING CANCELLED FINISHED HANDLE WAITING".split(' ');
        let set = names.enumerate().filter(|(bit, _)| state >> bit & 1 == 1);
        f.write_str(&set.map(|(_, name)| name).collect::<Vec<_>>().join(" | "))
    }
}
