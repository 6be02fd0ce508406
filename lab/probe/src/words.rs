//! What each diagnosis says.

use crate::{chapters::Chapter, diagnosis::Diagnosis};

pub(crate) struct Words {
    /// Goes on after `task 2 "timer"`.
    pub(crate) first: &'static str,
    pub(crate) means: &'static str,
    pub(crate) look_at: &'static str,
    pub(crate) chapter: Chapter,
}

impl Words {
    pub(crate) fn advice(&self) -> [(&'static str, String); 3] {
        [
            ("means", self.means.to_owned()),
            ("look at", self.look_at.to_owned()),
            ("read", self.chapter.to_string()),
        ]
    }
}

impl Diagnosis {
    pub(crate) fn words(&self) -> Words {
        let (first, means, look_at, chapter) = match self {
            Self::LockTwice(_) => (
                "takes a lock inside poll that its own thread holds.",
                "a Mutex cannot be taken twice by one thread. It waits for itself, for ever.",
                "the guard that was taken first: drop it before you call what locks again. Calling wake under a lock \
                 is such a call when the executor polls within the wake.",
                Chapter::TimerFuture,
            ),
            Self::LockHeld(_) => (
                "waits inside poll for a lock that another thread holds.",
                "as long as that thread keeps its guard, this one can poll nothing at all.",
                "what the other thread does while it holds the guard: it may wait for something that only a poll can do.",
                Chapter::TimerFuture,
            ),
            Self::Blocked(_) => (
                "is inside poll, and does not come back.",
                "while a poll blocks, its thread can poll nothing else, and no wake can help.",
                "what poll calls: a lock, sleep, recv, join, a read, a loop. For a lock, put probe::Mutex in the place \
                 of std's, and this message will say who holds it.",
                Chapter::ParkerBlockOn,
            ),
            Self::KeptNoWaker => (
                "returned Pending, and nobody kept its waker.",
                "Pending is a promise that a wake will come. Nobody has a waker to keep that promise with.",
                "each way through poll that ends in Pending: it must first leave a clone of cx.waker() with whoever \
                 finishes the work.",
                Chapter::TimerFuture,
            ),
            Self::WakerDropped => (
                "returned Pending, and its waker was dropped without a wake.",
                "somebody had the waker and gave it up: a thread that ended, a channel or a map that was dropped.",
                "who owned the waker, and every way on which the owner ends without calling wake.",
                Chapter::Reactor,
            ),
            Self::OldWoken => (
                "was woken by an old waker, and not by the latest.",
                "each poll may bring another waker, and only the one of the latest poll has to work.",
                "what poll does when it has a waker already: it must replace it.",
                Chapter::TimerFuture,
            ),
            Self::OldKept => (
                "keeps the waker of an earlier poll, and not that of the latest.",
                "each poll may bring another waker, and only the one of the latest poll has to work.",
                "what poll does when it has a waker already: it must replace it.",
                Chapter::TimerFuture,
            ),
            Self::PolledAfterReady => (
                "was polled again after it was Ready.",
                "its result has been given out, and there is no second one. An async block would have panicked.",
                "who polls it: one that is Ready must be dropped, or remembered as done.",
                Chapter::Join,
            ),
            Self::Panicked => (
                "panicked in poll.",
                "a panic ends its task, and takes the thread along unless the executor catches it. Nobody will ever \
                 see the result.",
                "the message of the panic, above, and whether those who wait for the result are told.",
                Chapter::MiniTokio,
            ),
            Self::NotPolledAgain => (
                "was woken, and never polled again.",
                "the future and its waker have done their part. The executor lost the wake.",
                "what the executor's waker does: it must put the task where the run loop takes it from, and rouse the \
                 loop. A wake that comes during poll counts too.",
                Chapter::ChannelExecutor,
            ),
            Self::NeverPolled => (
                "was never polled.",
                "a future does nothing until somebody polls it, and nobody has.",
                "whether it reached the executor's queue, whether the run loop reads that queue, and whether somebody \
                 awaits it.",
                Chapter::ChannelExecutor,
            ),
            Self::NotWoken => (
                "returned Pending, and nobody called its waker after that.",
                "the future waits in good order. What it waits for did not happen, or happened without a wake.",
                "where the work is done: was it started, and does it call wake on every way out, after it has stored \
                 the result?",
                Chapter::TimerFuture,
            ),
            Self::BusyExecutor => (
                "is polled without end, and no wake asks for it.",
                "the executor looks again and again instead of waiting to be told. That costs CPU time, and hides a \
                 wake that is missing.",
                "the run loop: a task belongs back in the queue when its waker is called, not because it is Pending.",
                Chapter::ChannelExecutor,
            ),
            Self::BusyFuture => (
                "wakes itself in each poll, without end.",
                "a future that wakes itself is polled again at once. Nothing has happened in between, and the thread \
                 never sleeps.",
                "poll: leave the waker with whoever sees the event, and let the event wake.",
                Chapter::ChannelExecutor,
            ),
            Self::AtWork => (
                "is still at work.",
                "it is woken and polled again and again. It needs more time, or its wakes go round in a circle.",
                "whether it gets further from poll to poll.",
                Chapter::Join,
            ),
        };
        Words {
            first,
            means,
            look_at,
            chapter,
        }
    }
}
