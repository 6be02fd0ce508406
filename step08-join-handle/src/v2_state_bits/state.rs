//! The state of a task: six bits of one word, on which all threads agree. A task is `SCHEDULED` (by
//! `spawned`), then `RUNNING` (`start`), then neither (`idle`), until a `wake` makes it `SCHEDULED` again, and so on. If it is woken
//! during its poll it is both, and goes back into the queue after the poll. After the last poll it is `FINISHED` (`finish`), and a
//! join handle waits for that (`wait`).
//!
//! Every change of the word is one atomic step, and each step has a method here, named for what has happened. The result
//! of the step tells the caller what it has to do now. If several threads take the same step, at most one of them is told
//! to act. So no lock is needed to agree on who polls the future, and who takes its result. Each step is `AcqRel`, so that its
//! thread sees what other threads did before their steps.

use std::fmt;

use crate::sync::atomic::{AtomicUsize, Ordering};

// ANCHOR: bits
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
// ANCHOR_END: bits

/// The state of a task.
pub struct State(AtomicUsize);

// ANCHOR: idle-result
/// What to do with a task whose poll has returned `Pending`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Idle {
    /// Nothing. The next wake puts it into the queue.
    Nothing,
    /// Put it into the queue, because it was woken during the poll.
    Schedule,
    /// Drop its future, because the task was cancelled during the poll.
    Cancel,
}
// ANCHOR_END: idle-result

// ANCHOR: interest
/// Who is interested in a task that has finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct Finish {
    /// Whether there is a join handle. If not, the caller must drop the result.
    pub handle: bool,
    /// Whether the join handle has stored a waker. If so, the caller must call it.
    pub waiting: bool,
}
// ANCHOR_END: interest

impl State {
    /// The state of a task that is spawned: it is to be polled, and there is a handle.
    pub fn spawned() -> State {
        State(AtomicUsize::new(SCHEDULED | HANDLE))
    }

    /// The task is woken. If `true`, the caller must put it into the queue.
    // ANCHOR: wake
    #[must_use]
    pub fn wake(&self) -> bool {
        // Writes even if the bit is set, so that the next poll sees what was done before this wake.
        let before = self.0.fetch_or(SCHEDULED, Ordering::AcqRel);
        before & (SCHEDULED | RUNNING | FINISHED) == 0
    }
    // ANCHOR_END: wake

    /// The task is aborted. If `true`, the caller must put it into the queue, and a worker will drop its future.
    // ANCHOR: abort
    #[must_use]
    pub fn abort(&self) -> bool {
        let before = self.0.fetch_or(CANCELLED | SCHEDULED, Ordering::AcqRel);
        before & (SCHEDULED | RUNNING | FINISHED) == 0
    }
    // ANCHOR_END: abort

    /// A worker has taken the task from the queue, and has the future now. If `true`, it must poll the future. If `false`,
    /// the task was cancelled, and it must drop the future.
    // ANCHOR: start
    #[must_use]
    pub fn start(&self) -> bool {
        // SCHEDULED is set and RUNNING is clear, and this flips both.
        self.0.fetch_xor(SCHEDULED | RUNNING, Ordering::AcqRel) & CANCELLED == 0
    }
    // ANCHOR_END: start

    /// The poll has returned `Pending`. Unless the result is [`Idle::Cancel`], the worker no longer has the future.
    // ANCHOR: idle
    pub fn idle(&self) -> Idle {
        // Clears `RUNNING`, but only if the task is not cancelled.
        let before = self.update(|state| (state & CANCELLED == 0).then_some(state & !RUNNING));
        match before {
            // Nothing was written, so this worker still has the future, and drops it.
            Err(_) => Idle::Cancel,
            Ok(state) if state & SCHEDULED != 0 => Idle::Schedule,
            Ok(_) => Idle::Nothing,
        }
    }
    // ANCHOR_END: idle

    /// The future has been dropped, and its result is stored.
    // ANCHOR: finish
    pub fn finish(&self) -> Finish {
        // RUNNING is set and FINISHED is clear, and this flips both.
        let before = self.0.fetch_xor(RUNNING | FINISHED, Ordering::AcqRel);
        Finish {
            handle: before & HANDLE != 0,
            waiting: before & WAITING != 0,
        }
    }
    // ANCHOR_END: finish

    /// The join handle has stored a waker. If `true`, the task is finished, and its waker may never be called.
    // ANCHOR: wait
    #[must_use]
    pub fn wait(&self) -> bool {
        self.0.fetch_or(WAITING, Ordering::AcqRel) & FINISHED != 0
    }
    // ANCHOR_END: wait

    /// The join handle is dropped. If `true`, the task is finished, and the caller must drop the result.
    // ANCHOR: detach
    #[must_use]
    pub fn detach(&self) -> bool {
        self.0.fetch_and(!HANDLE, Ordering::AcqRel) & FINISHED != 0
    }
    // ANCHOR_END: detach

    /// Whether the future has been dropped and its result stored.
    pub fn is_finished(&self) -> bool {
        self.0.load(Ordering::Acquire) & FINISHED != 0
    }

    /// The names of the bits that are set.
    pub fn bits(&self) -> Vec<&'static str> {
        let state = self.0.load(Ordering::Acquire);
        let names = "SCHEDULED RUNNING CANCELLED FINISHED HANDLE WAITING".split(' ');
        let set = names.enumerate().filter(|(bit, _)| state >> bit & 1 == 1);
        set.map(|(_, name)| name).collect()
    }

    // ANCHOR: update
    /// Changes the word as `change` says, or leaves it if `change` says `None`. Returns the word before.
    #[cfg_attr(recorded, track_caller)]
    fn update(&self, change: impl Fn(usize) -> Option<usize>) -> Result<usize, usize> {
        self.0
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, change)
    }
    // ANCHOR_END: update
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.bits().join(" | "))
    }
}
