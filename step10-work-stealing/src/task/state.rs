//! The state of a task, as stage 08 has it, and in the same word the number of references to the task.
//!
//! Every change of the word is one atomic step with a method here, named for what has happened. What is between
//! `ANCHOR: carried-…` and its end is the same as in stage 08. New here are the references, [`unwait`](State::unwait), which lets
//! the join handle into its place without a lock, and [`claim`](State::claim), by which a shutdown takes the future of a task that
//! may be in a queue. While `WAITING` is set and `FINISHED` is not, no thread touches the waker of the handle. The thread that
//! finishes the task takes it.

use std::{fmt, process};

use crate::sync::atomic::{AtomicUsize, Ordering};

// ANCHOR: carried-bits
/// The task has to be polled: it is in the queue, or about to be put there. If `RUNNING` is
/// set as well, the task was woken during its poll, and its worker puts it there afterwards.
const SCHEDULED: usize = 1 << 0;

/// One thread has the future, and no other thread may touch it. Set before the future is
/// polled or dropped. Cleared after a pending poll, and when the task is finished.
const RUNNING: usize = 1 << 1;

/// The future has been dropped, and the result is stored. Once this is set, it stays set,
/// and the task is never queued again.
const FINISHED: usize = 1 << 3;

/// There is a join handle, which will take the result or drop it. Set from the start, and
/// clear once the handle has been dropped. Then the thread that finishes the task drops the result.
const HANDLE: usize = 1 << 4;

/// The join handle has stored a waker, to be called when the task is finished.
const WAITING: usize = 1 << 5;

/// The future is to be dropped rather than polled. Once set, it stays set.
const CANCELLED: usize = 1 << 2;
// ANCHOR_END: carried-bits

/// The rest of the word counts the references, in steps of this.
const REFERENCE: usize = 1 << 6;

/// Half of all the references that the word can count. Only a program that leaks them comes this far.
const LEAKED: usize = 1 << (usize::BITS - 1);

/// The state of a task, and the number of references to it.
pub struct State(AtomicUsize);

/// What to do with a task that has been taken from a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Poll it.
    Poll,
    /// Drop its future, because the task was cancelled.
    Cancel,
}

/// What to do with a task whose poll has returned `Pending`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Idle {
    /// Nothing. The next wake puts it into a queue. The reference of the caller is given up, in the same step.
    Nothing,
    /// Put it into a queue, because it was woken during the poll.
    Schedule,
    /// Drop its future, because the task was cancelled during the poll.
    Cancel,
}

// ANCHOR: carried-interest
/// Who is interested in a task that has finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct Finish {
    /// Whether there is a join handle. If not, the caller must drop the result.
    pub handle: bool,
    /// Whether the join handle has stored a waker. If so, the caller must call it.
    pub waiting: bool,
}
// ANCHOR_END: carried-interest

impl State {
    /// The state of a new task, which is to be polled and has a handle and this many references.
    pub fn spawned(references: usize) -> State {
        State(AtomicUsize::new(
            SCHEDULED | HANDLE | (references * REFERENCE),
        ))
    }

    /// The task is woken. If `true`, the caller must put it into a queue.
    // ANCHOR: carried-wake
    #[must_use]
    pub fn wake(&self) -> bool {
        // Writes even if the bit is set, so that the next poll sees what was done before this wake.
        let before = self.0.fetch_or(SCHEDULED, Ordering::AcqRel);
        before & (SCHEDULED | RUNNING | FINISHED) == 0
    }
    // ANCHOR_END: carried-wake

    /// The task is aborted. If `true`, the caller must put it into a queue, and a worker will drop its future.
    // ANCHOR: carried-abort
    #[must_use]
    pub fn abort(&self) -> bool {
        let before = self.0.fetch_or(CANCELLED | SCHEDULED, Ordering::AcqRel);
        before & (SCHEDULED | RUNNING | FINISHED) == 0
    }
    // ANCHOR_END: carried-abort

    /// A worker has taken the task from a queue, and has the future now. `None` if there is nothing to do, because since the task was
    /// put there a shutdown has taken its future, or another worker has polled it.
    #[must_use]
    pub fn start(&self) -> Option<Start> {
        let waits_for_a_poll = |state| state & (SCHEDULED | RUNNING | FINISHED) == SCHEDULED;
        let before = self.update(|state| {
            let started = (state | RUNNING) & !SCHEDULED;
            waits_for_a_poll(state).then_some(started)
        });
        let is_cancelled = before.ok()? & CANCELLED != 0;
        Some(if is_cancelled {
            Start::Cancel
        } else {
            Start::Poll
        })
    }

    /// The poll has returned `Pending`. Unless the result is [`Idle::Cancel`], the worker no longer has the future. The task is
    /// in the list, so there is one more reference than the worker's.
    pub fn idle(&self) -> Idle {
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
    pub fn claim(&self) -> bool {
        let before = self.update(|state| match state & (RUNNING | FINISHED) {
            0 => Some(state | CANCELLED | RUNNING),
            _ => Some(state | CANCELLED),
        });
        before.is_ok_and(|state| state & (RUNNING | FINISHED) == 0)
    }

    /// The future has been dropped, and its result is stored.
    // ANCHOR: carried-finish
    pub fn finish(&self) -> Finish {
        // RUNNING is set and FINISHED is clear, and this flips both.
        let before = self.0.fetch_xor(RUNNING | FINISHED, Ordering::AcqRel);
        Finish {
            handle: before & HANDLE != 0,
            waiting: before & WAITING != 0,
        }
    }
    // ANCHOR_END: carried-finish

    /// The join handle has stored a waker. If `true`, the task is finished, and the waker still belongs to the handle.
    // ANCHOR: carried-wait
    #[must_use]
    pub fn wait(&self) -> bool {
        self.0.fetch_or(WAITING, Ordering::AcqRel) & FINISHED != 0
    }
    // ANCHOR_END: carried-wait

    /// The join handle wants its waker back, to replace or to drop it. If `false`, the task is finished, and the waker
    /// belongs to the thread that has finished it.
    #[must_use]
    pub fn unwait(&self) -> bool {
        self.update(|state| (state & FINISHED == 0).then_some(state & !WAITING))
            .is_ok()
    }

    /// The join handle is dropped. If `true`, the task is finished, and the caller must drop the result.
    // ANCHOR: carried-detach
    #[must_use]
    pub fn detach(&self) -> bool {
        self.0.fetch_and(!HANDLE, Ordering::AcqRel) & FINISHED != 0
    }
    // ANCHOR_END: carried-detach

    /// Whether the future has been dropped and its result stored.
    pub fn is_finished(&self) -> bool {
        self.0.load(Ordering::Acquire) & FINISHED != 0
    }

    /// There is one more reference.
    pub fn add_reference(&self) {
        // The caller has a reference, so the count cannot become zero meanwhile, and no order is needed.
        let before = self.0.fetch_add(REFERENCE, Ordering::Relaxed);
        if before & LEAKED != 0 {
            process::abort(); // before the count overflows, and a task in use is freed
        }
    }

    /// A reference is dropped. If `true`, it was the last, and the caller must free the task.
    #[must_use]
    pub fn drop_reference(&self) -> bool {
        // `Release`, so that what was done with this reference happens before the task is freed, and `Acquire`, so that the
        // thread that frees it does so after all that was done with the others.
        self.0.fetch_sub(REFERENCE, Ordering::AcqRel) / REFERENCE == 1
    }

    // ANCHOR: carried-update
    /// Changes the word as `change` says, or leaves it if `change` says `None`. Returns the word before.
    #[cfg_attr(recorded, track_caller)]
    fn update(&self, change: impl Fn(usize) -> Option<usize>) -> Result<usize, usize> {
        self.0
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, change)
    }
    // ANCHOR_END: carried-update
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.0.load(Ordering::Acquire);
        let names = "SCHEDULED RUNNING CANCELLED FINISHED HANDLE WAITING".split(' ');
        let set = names.enumerate().filter(|(bit, _)| state >> bit & 1 == 1);
        f.write_str(&set.map(|(_, name)| name).collect::<Vec<_>>().join(" | "))
    }
}
