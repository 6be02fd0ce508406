//! What can be seen of a watched future from outside.

/// One thing that happened. Wakers are numbered by task: 1 is the waker that came with its first poll, and a number is used
/// again as long as the executor brings the same waker and the future keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "trace",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "what", rename_all = "snake_case")
)]
#[expect(missing_docs, reason = "most fields are named as they are")]
pub enum What {
    /// The future was watched for the first time. It has not been polled yet.
    Spawn,
    /// A poll began, with this waker in its context.
    Poll { waker: u32 },
    /// The poll returned `Pending`.
    Pending,
    /// The poll returned `Ready`.
    Ready,
    /// The poll panicked.
    Panic,
    /// The future was polled although it had been `Ready`. The poll did not reach it.
    PollAfterReady,
    /// The future was dropped, and its destructor has run.
    Drop,
    /// A clone of a waker was made.
    Keep { waker: u32 },
    /// A clone of a waker was dropped without being woken.
    Release { waker: u32 },
    /// A waker was woken.
    Wake {
        /// The waker's number.
        waker: u32,
        /// By [`Waker::wake`](std::task::Waker::wake), which uses the clone up, and not by reference.
        by_value: bool,
        /// The task inside whose poll the wake was made, if it was inside one: it may be the woken task itself.
        #[cfg_attr(
            feature = "trace",
            serde(default, skip_serializing_if = "Option::is_none")
        )]
        during: Option<u32>,
    },
    /// An atomic word was written. Its number is in the order in which words and locks were first used.
    Word { word: u32, before: u64, after: u64 },
    /// A lock was taken.
    Lock { lock: u32 },
    /// A lock is about to be released.
    Unlock { lock: u32 },
    /// A condition variable was notified.
    Notify { condvar: u32 },
    /// A thread is about to wait at a condition variable.
    Wait { condvar: u32 },
    /// The thread gave up the CPU after its last event: it parked, slept or waited for a lock. Linux alone tells.
    Park,
    /// The thread that gave up the CPU has it back.
    Unpark,
}

/// What happened to a waker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Clone,
    /// Woken, and gone with it.
    WakeByValue,
    WakeByRef,
    /// Dropped without being woken.
    Drop,
}
