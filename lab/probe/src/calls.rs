//! What it means that a call of a library is pending, polled just now with a fresh waker.

use crate::frames::Await;

/// A call on whose stack one of these `parts` is; of two with a `+` between them, both.
pub(crate) struct Known {
    parts: &'static [&'static str],
    pub(crate) means: &'static str,
    pub(crate) look_at: &'static str,
}

impl Known {
    /// Whether it asks to be polled again at once.
    pub(crate) fn is_busy(&self) -> bool {
        self.parts == ["yield_now"]
    }
}

const KNOWN: &[Known] = &[
    Known {
        parts: &["barrier"],
        means: "fewer tasks have come to the barrier than it waits for.",
        look_at: "the number that it was made with, and who of those does not come.",
    },
    Known {
        parts: &["sync::mutex", "lock::mutex", "async_lock::mutex"],
        means: "the lock is taken, or it was given to a task that is before this one and has not been polled since.",
        look_at: "who has the guard, and what that one waits for. It may be this very task, further up; or a future that has got the lock \
         and is not polled.",
    },
    Known {
        parts: &["rwlock"],
        means: "a guard of the other kind is held, or a writer is before this one in the queue: then no reader passes it.",
        look_at: "who has a guard, also a reader that takes a second one, and this very task.",
    },
    Known {
        parts: &[
            "mpsc::bounded+batch_semaphore",
            "mpsc::Sender",
            "channel::Send",
            "sink",
        ],
        means: "no place is free in the channel, or the free one is promised to a sender before this. The receiver is still there.",
        look_at: "what the receiver does instead of receiving. If this very task receives, it waits for itself.",
    },
    Known {
        parts: &["sync::semaphore", "lock::semaphore"],
        means: "no permit is free, or all that are free are promised to one before this.",
        look_at: "who has the permits, and whether each comes back: also on an error, and from a future that is not polled any more.",
    },
    Known {
        parts: &["mpsc", "async_channel", "flume"],
        means: "the channel is empty, and a sender is still there: without one, this would end.",
        look_at: "who should send next. To end this instead, drop each sender, also the one that the others were cloned from.",
    },
    Known {
        parts: &["oneshot"],
        means: "the sender is still there, and has sent nothing.",
        look_at: "who has the sender, and each way on which that one neither sends nor drops it.",
    },
    Known {
        parts: &["broadcast"],
        means: "no message has come since this receiver was made, and a sender is still there.",
        look_at: "who sends, and whether that was before this receiver subscribed.",
    },
    Known {
        parts: &["sync::watch"],
        means: "the value has not been changed since this receiver saw it, and the sender is still there.",
        look_at: "who changes it, and whether that was before this receiver looked.",
    },
    Known {
        parts: &["notify", "event_listener"],
        means: "no notification is left for this one. notify_waiters reaches those alone that wait already; notify_one leaves one permit, \
         whatever the number of calls.",
        look_at: "who notifies, and whether that was before. Make the Notified before you check the condition.",
    },
    Known {
        parts: &[
            "runtime::task::join",
            "task::join_set",
            "JoinHandle",
            "async_task::task",
        ],
        means: "the task that it joins is not finished.",
        look_at: "what that task waits for. If it is not in this message, watch it where it is spawned.",
    },
    Known {
        parts: &["yield_now"],
        means: "each poll gives way, and is made again at once: nothing has happened in between.",
        look_at: "the loop around it, and what would end it. It should wait for that instead.",
    },
    Known {
        parts: &[
            "time::sleep",
            "time::interval",
            "time::timeout",
            "async_io::Timer",
            "timer",
        ],
        means: "its time has not come, or nothing drives the timer.",
        look_at: "how long it is to sleep; and if that is over, whether the runtime's own thread is blocked.",
    },
    Known {
        parts: &["net::tcp::listener", "net::unix::listener"],
        means: "no connection has come. A server that is idle waits here.",
        look_at: "who should connect, and where to.",
    },
    Known {
        parts: &["io::util::write", "io::util::flush", "try_write"],
        means: "the other side does not read, and what is between the two is full.",
        look_at: "what the other side does instead of reading. It may be writing too.",
    },
    Known {
        parts: &[
            "io::util::read",
            "io::util::copy",
            "net::tcp",
            "net::udp",
            "net::unix",
            "duplex",
            "codec",
            "lines",
        ],
        means: "the other side has sent nothing more, and has not closed.",
        look_at: "what the other side does. If it waits for an answer, was the request flushed? If this reads to the end, who closes?",
    },
];

/// What is known of any of these, by the order of the table: a timer that stands beside something else is a time limit.
pub(crate) fn known(awaits: &[Await]) -> Option<&'static Known> {
    let is_in = |part: &str, it: &Await| it.calls.iter().any(|call| call.contains(part));
    let all_in = |parts: &str| {
        let one_has_all = |it: &Await| parts.split('+').all(|part| is_in(part, it));
        awaits.iter().any(one_has_all)
    };
    KNOWN
        .iter()
        .find(|known| known.parts.iter().any(|parts| all_in(parts)))
}
