//! What it means that a call of a library is pending, polled just now with a fresh waker.

use crate::see::frames::Await;

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

    /// Whether it waits for one to be notified.
    pub(crate) fn is_notification(&self) -> bool {
        self.parts == ["notify"]
    }
}

/// Where it could go on, and only tokio's count of what a poll has done keeps it from that.
const BUDGET: &[&str] = &["coop::poll_proceed", "coop::register_waker"];

/// The same, inside of a poll that does not return.
pub(crate) const SPENT_INSIDE: Known = Known {
    parts: BUDGET,
    means: "tokio lets a task do so much in one poll, and then it has to return to the runtime before tokio's futures go on. This one \
            is polled by another executor inside of that poll, which does not return.",
    look_at: "the block_on in which this is polled. Call it in a thread of its own (spawn_blocking), or await instead. With \
              tokio::task::unconstrained around the future, tokio doesn't count.",
};

/// The same, in each poll.
pub(crate) const SPENT_EACH_TIME: Known = Known {
    parts: BUDGET,
    means: "in the poll that the watchdog saw, what it awaited was ready each time, and the poll ended only because tokio lets a task do \
            so much in one. Then it is polled again at once.",
    look_at: "the loop around it, and what would end that. If it is to wait for something, it awaits what is ready already.",
};

/// A notification that is known to be the first.
pub(crate) const NEVER_NOTIFIED: Known = Known {
    parts: &["notify"],
    means: "neither notify_one nor notify_waiters was called on it so far. So no notification came too early or went to another task.",
    look_at: "which task is to notify it, and why that one has not done so: it may have ended, or wait for something itself.",
};

/// Each with what it means, and what to look at.
macro_rules! known {
    ($([$($parts:literal),+] $means:literal $look_at:literal;)*) => {
        const KNOWN: &[Known] = &[$(Known { parts: &[$($parts),+], means: $means, look_at: $look_at }),*];
    };
}

known! {
    ["hyper::proto"]
        "the connection is open: it waits for a request, or for more of what the other side sends or reads. One that is idle waits here."
        "which request has no response yet, and what the other side does with it. To end a connection, drop what sends its requests, \
         or close the other side.";
    ["hyper::client+oneshot"]
        "no response has come, and the connection is still there."
        "what the server does with the request. And whether the connection itself is polled: a task has to await it.";
    ["once_cell", "async_once_cell"]
        "another future is in the initialiser of the cell, or in one that calls it."
        "what that initialiser waits for. If it uses the same cell, it waits for itself.";
    ["barrier"]
        "fewer tasks have come to the barrier than it waits for."
        "the number that it was made with, and who of those does not come. A wait that was cancelled counts as one that has come: \
         then others have gone on without this one.";
    ["sync::mutex", "lock::mutex", "async_lock::mutex"]
        "the lock is taken, or it was given to a task that is before this one and has not been polled since."
        "who has the guard, and what that one waits for. It may be this very task, further up; or a future that has got the lock \
         and is not polled.";
    ["rwlock"]
        "a guard of the other kind is held, or a writer is before this one in the queue: then no reader passes it."
        "who has a guard, also a reader that takes a second one, and this very task.";
    ["mpsc::bounded+batch_semaphore", "mpsc::Sender", "mpsc+poll_unparked", "async_channel::Send*",
     "async_channel+event_listener_strategy::Send", "flume::async::Send*", "sink"]
        "no place is free in the channel, or the free one is reserved, or promised to a sender before this. The receiver is still \
         there."
        "what the receiver does instead of receiving, and who has reserved a place. If this very task receives, it waits for itself.";
    ["sync::semaphore", "lock::semaphore", "async_lock::semaphore"]
        "no permit is free, too few are, or the free ones are promised to a waiter ahead."
        "who has the permits, whether there are as many, and whether each comes back: also on an error, and from a future that is \
         not polled any more.";
    ["closed", "async_channel::Closed*", "oneshot::Cancellation", "oneshot+poll_canceled", "mpsc::bounded+notify", "mpsc::unbounded+notify", "broadcast+notify"]
        "a receiver of the channel is still there: without one, this would end."
        "who has the receiver, and each way on which that one neither drops nor closes it.";
    ["mpsc+recv*", "mpsc+poll_recv*", "mpsc+poll_next", "async_channel::Recv*", "async_channel+event_listener_strategy::Recv",
     "async_channel::poll_next", "flume::async::Recv*"]
        "the channel is empty, and a sender is still there, or a place is reserved: without those, this would end."
        "who should send next. To end this instead, drop each sender, also the one that the others were cloned from.";
    ["mpsc", "async_channel", "flume"]
        "if this receives, the channel is empty; if it sends, the channel is full. The other end is still there."
        "what the other end does instead. With `debug = true` in Cargo.toml, the message can say which of the two it is.";
    ["oneshot"]
        "the other end is still there, and has neither sent nor been dropped."
        "who has the other end, perhaps a message that nobody receives, and each way on which that one neither sends nor drops it.";
    ["broadcast", "async_broadcast"]
        "no message is there for this receiver, and a sender is still there. What it was too slow for is lost: recv says Lagged."
        "who sends, whether that was before this receiver subscribed, and whether it lagged. To end this instead, drop each sender.";
    ["tokio::io::blocking", "tokio::fs"]
        "tokio has a closure of spawn_blocking for it, which has not returned: standard input has neither a line nor an end, or the \
         file system does not answer. A service that is idle may wait here."
        "who writes to standard input, or closes it; or what the file is.";
    ["tokio::signal"]
        "no signal has come. A service that is idle waits here."
        "who should send it.";
    ["tokio::process"]
        "the child has not ended, or has not closed its output."
        "what the child waits for. If it reads its input to the end, drop its stdin before. If its output or its errors \
         are piped, read both meanwhile.";
    ["sync::watch"]
        "no change was told to this receiver since it saw the value, and the sender is still there; or, in closed, a receiver is."
        "who changes it, and whether that was before this receiver looked.";
    ["event_listener*"]
        "nobody has notified this listener: a notification may have reached another one."
        "who notifies, how many at a time, and whether that was before.";
    ["cancellation_token", "task_tracker"]
        "the token is not cancelled; or the tracker is not closed, or has a task that has not ended."
        "who cancels or closes it, and whether that one means this very token, rather than a child of it.";
    ["notify"]
        "no notification is left for this one. notify_waiters reaches those alone that wait already; notify_one reaches one of \
         them, or leaves one permit, whatever the number of calls."
        "who notifies, and whether that was before. Make the Notified before you check the condition.";
    ["runtime::task::join", "task::join_set", "JoinHandle", "async_task::task"]
        "the task that it joins is not finished."
        "what that task waits for. If it is not in this message, watch it where it is spawned. A closure of spawn_blocking may be \
         slow, or wait for a thread of its pool. A task of a LocalSet is polled only while the LocalSet is, and one of a runtime on a \
         single thread only in its Runtime::block_on.";
    ["yield_now"]
        "each poll gives way, and is made again at once. If it computes in between, it needs more time; if not, it waits in a loop."
        "the loop around it, and what would end it. If that is an event, it should wait for it instead.";
    ["time::sleep", "time::interval", "time::timeout", "async_io::Timer", "timer", "futures_timer"]
        "its time has not come, or nothing drives the timer."
        "how long it is to sleep; and if that is over, whether the runtime's own thread is blocked. One on a single thread drives \
         its timers in Runtime::block_on alone, not in Handle::block_on. A paused clock stands while a closure of \
         spawn_blocking runs.";
    ["net::tcp::listener", "net::unix::listener"]
        "no connection has come. A server that is idle waits here."
        "who should connect, and where to.";
    ["io::util::write*", "io::util::flush", "try_write",
     "io::util::mem+poll_write_internal", "registration::poll_write_ready"]
        "the other side does not read, and what is between the two is full."
        "what the other side does instead of reading. It may be writing too, or be with this very task.";
    ["io::util::read*", "io::util::copy*", "net::tcp", "net::udp", "net::unix", "duplex", "codec", "asynchronous_codec", "lines",
     "io::util::mem+poll_read_internal"]
        "the other side has sent nothing more, and has not closed."
        "what the other side does. If it waits for an answer, was the request flushed? If this reads to the end, who closes? \
         And was the end of a line sent, or all that this reads?";
    ["future::shared"]
        "the future that is shared is not ready. Of its clones, one polls it, and all wait for it."
        "what that future waits for: watch it. If it awaits a clone of itself, it waits for itself.";
}

/// What is known of any of these, by the order of the table: a timer that stands beside something else is a time limit.
pub(crate) fn known(awaits: &[Await]) -> Option<&'static Known> {
    KNOWN
        .iter()
        .find(|known| awaits.iter().any(|found| is_one_of(known.parts, found)))
}

/// Whether some of these could go on if tokio did not count, and whether all of them could.
pub(crate) fn spends_budget(awaits: &[Await]) -> (bool, bool) {
    let is_spent = |found: &Await| is_one_of(BUDGET, found);
    let all = !awaits.is_empty() && awaits.iter().all(is_spent);
    (awaits.iter().any(is_spent), all)
}

fn is_one_of(parts: &[&str], found: &Await) -> bool {
    let is_on_stack = |part: &str| found.calls.iter().any(|call| call.has(part));
    parts.iter().any(|both| both.split('+').all(is_on_stack))
}

#[cfg(test)]
#[path = "../../tests/inside/calls.rs"]
mod tests;
