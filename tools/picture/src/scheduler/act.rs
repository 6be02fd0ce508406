//! What a step of a game does. The words of `does` say it to a reader, and nothing else reads them.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Act {
    // Of a lock.
    Take,
    Release,
    // Of a future and who wakes it.
    Check,
    Store,
    Raise,
    Look,
    Wake,
    // Of the bits of a task.
    Start,
    Idle,
    /// The first of the two steps that `idle` must not have, or a read from a socket.
    Read,
    /// The second one, or the readiness of a socket.
    Clear,
    Finish,
    // Of a socket.
    Arrive,
    Report,
    // Of a worker and its queue.
    Push,
    Poll,
    Announce,
    FindSleeper,
}

impl Act {
    /// What it is called in the lanes.
    pub(super) fn label(self) -> &'static str {
        match self {
            Act::Take => "take",
            Act::Release => "release",
            Act::Check => "check",
            Act::Store => "store",
            Act::Raise => "raise",
            Act::Look => "look",
            Act::Wake => "wake",
            Act::Start => "start",
            Act::Idle => "idle",
            Act::Read => "read",
            Act::Clear => "clear",
            Act::Finish => "finish",
            Act::Arrive => "byte arrives",
            Act::Report => "report",
            Act::Push => "push",
            Act::Poll => "poll",
            Act::Announce => "announce",
            Act::FindSleeper => "find sleeper",
        }
    }
}
