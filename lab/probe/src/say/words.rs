//! What each diagnosis says.

use crate::{
    judge::{
        diagnosis::{Diagnosis, Kind},
        looks::Looks,
    },
    say::{book, names::called, pages},
};

pub(crate) struct Words {
    /// Goes on after `task 2 "timer"`.
    pub(crate) first: &'static str,
    pub(crate) means: &'static str,
    pub(crate) look_at: &'static str,
    pub(crate) pages: &'static [&'static str],
}

impl Words {
    pub(crate) fn advice(&self) -> Vec<(&'static str, String)> {
        let mut advice = vec![
            ("means", self.means.to_owned()),
            ("look at", self.look_at.to_owned()),
        ];
        if !self.pages.is_empty() {
            advice.push(("read", book::read(self.pages)));
        }
        advice
    }
}

impl Kind {
    /// Whether it is clear from what is said of others, or too little is known to explain it.
    pub(crate) fn is_only_named(self) -> bool {
        self.words().means.is_empty()
    }
}

/// The text with the name of the other task in the place of `{other}`, and that of this crate in the place of `{crate}`.
pub(crate) fn fill(text: &str, diagnosis: &Diagnosis, all: &[Looks]) -> String {
    let text = text.replace("{crate}", book::name_of_crate());
    match &diagnosis.other {
        Some(other) => text.replace("{other}", &called(other, all)),
        None => text,
    }
}

/// Of each kind: the pages, how the headline goes on after `task 2 "timer"`, what it means, and what to look at. `{other}` stands
/// for the other task. Those of which no more is said than the headline are only named.
macro_rules! words {
    ($($kind:ident $([$($page:ident),+])?: $first:literal $($means:literal $look_at:literal)?;)*) => {
        impl Kind {
            #[cfg(test)]
            pub(crate) const ALL: &[Kind] = &[$(Self::$kind),*];

            pub(crate) fn words(self) -> Words {
                match self {
                    $(Self::$kind => Words {
                        first: $first,
                        means: concat!($($means)?),
                        look_at: concat!($($look_at)?),
                        pages: &[$($(pages::$page),+)?],
                    }),*
                }
            }
        }
    };
}

words! {
    LockTwice[PROMISE, THREAD]: "waits inside poll for a lock that its own thread already holds."
        "a Mutex cannot be locked twice by one thread. The thread waits for itself, forever."
        "the guard that was taken first. Drop it before an await, and before you call code that takes the same lock. Calling, \
         cloning or dropping a waker, or dropping a future, can be such a call, because each of them runs code that is not yours.";
    LockAcrossAwait[PROMISE]: "waits inside poll for a lock that {other} holds across an await."
        "while this poll waits, its thread polls nothing else. {other} releases the lock once it is polled again, and that may be this \
         thread's turn."
        "the guard in {other}. Drop it before the await, best in a block of its own; or take a lock that is made for it, such as \
         tokio's, whose wait leaves the thread to others.";
    LockHeld[PROMISE]: "waits inside poll for a lock that another thread holds."
        "as long as that thread keeps its guard, this thread cannot poll anything."
        "what the other thread does while it holds the guard. It may be waiting for something that only a poll can do.";
    Blocked[POLLS]: "is inside poll, and poll does not return."
        "while this poll blocks, its thread cannot poll any other task, and no wake can change that."
        "what poll calls: a lock (a send waits for a borrow of its watch channel), sleep, recv, join, a read, a block_on, a loop. \
         If it waits for another thread, does that one wait for a lock that is held here, or for a timer, a socket or a task of \
         the runtime that this thread drives? If it is a lock of std's, put {crate}::Mutex in its place, and this message will \
         name the thread that holds it.";
    Panicking[ENDS]: "is panicking:"
        "the hook of the panic has not returned, and until it does, nothing unwinds. On a busy machine, the backtrace that it reads may \
         take long."
        "the message of the panic. What others wait for may be missing for that reason. If it is said in full, and the run hangs \
         nevertheless: what the hook waits for, such as standard error.";
    Returned[POLLS]: "was inside poll when the time was up, and this poll has returned by now."
        "the poll took long, or its thread hardly ran. Meanwhile, that thread could poll no other task."
        "what poll does in that time, and whether the limit is long enough for it.";
    ExecutorInside[THREAD]: "is inside poll, where another executor polls {other}."
        "a block_on, or an executor like it, runs in there. It keeps the thread until {other} is ready, and what that waits for \
         may need this thread: other tasks, timers, or the end of this very poll."
        "the call that polls {other}. Await it instead, or move the call to a thread of its own (spawn_blocking).";
    KeptNoWaker[PROMISE]: "returned Pending, but no clone of its waker was kept."
        "Pending is a promise that a wake will come. Without a clone of the waker, no code can keep that promise."
        "each path through poll that ends in Pending. Before it returns, it must leave a clone of cx.waker() with the code that \
         finishes the work.";
    NoneKeptInside[PROMISE]: "returned Pending, but no clone of its waker was kept."
        "Pending is a promise that a wake will come, unless what is awaited here is std::future::pending(), which waits until it is \
         dropped. Without a clone of the waker, no code can keep that promise."
        "the future that is awaited last. Each path through its poll that ends in Pending must leave a clone of cx.waker() with the \
         code that finishes the work.";
    WakerDropped[DROPPED]: "returned Pending, and its waker was dropped without a wake."
        "a clone of the waker was kept and then dropped, perhaps because a thread ended, or with a channel or a map."
        "what owned the waker, and each way in which that owner can end without calling wake.";
    DroppedInPoll[PROMISE]: "returned Pending, but its poll has dropped each clone of its waker that it had made."
        "no wake can come now. Either what this future awaits at last keeps no waker, as pending() does, and the clones belonged to an \
         await or a branch that was over; or what should keep the waker did not take it, such as a channel without a receiver."
        "the await, or the path through poll, that ended in Pending. It must leave a clone of cx.waker() with the code that \
         finishes the work.";
    WakerReplaced[WAITERS]: "returned Pending, and its waker was dropped without a wake in the poll of {other}."
        "two tasks may wait at one place that has room for one waker, and the second put its own there. Or {other} has emptied it."
        "what both of them poll. It needs a waker for each task that waits, or it must wake the one that it drops.";
    OldWoken[PROMISE]: "was woken by an old waker rather than by the latest."
        "each poll may bring a different waker, and only the waker of the latest poll has to work."
        "what poll does with its waker when an earlier poll has left one already.";
    OldKept[PROMISE]: "keeps the waker of an earlier poll rather than that of the latest."
        "each poll may bring a different waker, and only the waker of the latest poll has to work."
        "what poll does with its waker when an earlier poll has left one already.";
    PolledAfterReady[INSIDE]: "was polled again after it was Ready."
        "its output has been taken, and there is no second one. An async block would have panicked."
        "the code that polls it. A future that was Ready must be dropped, or remembered as finished.";
    Panicked[ENDS, WAITERS]: "panicked."
        "a panic ends the task, and its thread too unless the executor catches the panic. The output of this task will never \
         come."
        "the message of the panic, and whether the code that waits for the output learns of it.";
    PanickedWithChild: "panicked with {other}, which it polled.";
    PassedBy[DROPPED]: "was woken, but {other}, which polls it, does not poll it any more."
        "no wake is lost: the task was polled again, and {other} is busy with something else while it still owns this future. A \
         future that is not polled keeps what it holds or was given: a lock, a permit, a message."
        "where {other} leaves this future: a select by reference, a join of its own, a LocalSet, a stream whose body awaits. Drop the future \
         there, or go on polling it beside the rest.";
    LostBetween[INSIDE]: "was woken, and the wake did not reach {other}, which polls it."
        "between the two is something with wakers of its own, such as a join, a select or a set of futures. It was told, and did \
         not pass the wake on."
        "what its wakers do: they must note which future was woken, and wake the task that polled last.";
    Orphaned[ENDS]: "was woken, and never polled again: {other}, which had polled it, is over."
        "a wake goes to the task that polled last. That one has ended, and none has polled this future since."
        "who has this future now, and who should poll it.";
    NotPolledAgain[POLLS, THREAD]: "was woken, and not polled since."
        "the wake came, and no poll. The executor has lost it, is busy with what is not watched, or nobody runs it any more; or \
         an unwatched future that polls this one (a join, a select) does not do so any more."
        "the thread that polls it: what keeps it? Then the executor's waker. First it must put the task where the run loop takes \
         tasks from, or leave a mark that the sleeping thread checks, and then end the sleep. A wake that comes during a poll \
         counts too. The tasks of a runtime on a single thread are polled only in its Runtime::block_on, not in Handle::block_on.";
    NeverPolled[POLLS]: "was never polled."
        "a future does nothing until it is polled, and this one was not."
        "whether the task reached the executor's queue, whether the run loop reads that queue, and whether the future is awaited \
         at all. A poll that blocks keeps its thread from all others: watch what that thread runs, too. The tasks of a \
         LocalSet are polled only while the LocalSet is, and those of a runtime on a single thread only in its Runtime::block_on, \
         not in Handle::block_on.";
    WakeMissing[PROMISE]: "returned Pending, and is ready now, but its waker was not called."
        "the future has done its part, and what it waits for has happened: polled once more by the watchdog, it was ready. So the \
         wake is missing."
        "the code that finishes the work. Does it call wake on each way out, after it has stored the result? Does it take the \
         waker under the same lock under which poll leaves it?";
    WentOn[PROMISE]: "returned Pending, and went on when the watchdog polled it once more, but its waker was not called."
        "there was something to do: what it waited for has happened. So a wake is missing."
        "what it awaited before the line that it is at now. The code that finishes that work must call wake on each way out, after \
         it has stored the result.";
    Waits[PROMISE]: "returned Pending, and waits for an event that has not come."
        "the future has done its part. What it waits for has not happened: polled once more by the watchdog, it was pending \
         again."
        "the code that finishes the work. Was it started? What does it wait for itself?";
    NotReached[INSIDE]: "returned Pending, and waits in something that polls only what was woken."
        "the watchdog has polled it once more, and it was pending again. That says nothing about the event: a FuturesUnordered, or \
         a join of many futures, passes a poll on only to those inside that were woken."
        "the futures inside: watch each of them ({crate}::watch), and this message will say what each one waits for. Or none is in \
         there: with a limit of 0, as in buffered(0), a buffer starts none.";
    NotRead: "returned Pending, and it is not known in which call it waits."
        "the watchdog has polled it once more, and it was pending again. What that says depends on the call, which could not be \
         looked up in time."
        "what it waits for, where this message says so; and another run, on a quieter machine or with fewer tests at a time.";
    NotWoken[POLLS]: "returned Pending, and its waker was not called after that."
        "the watchdog has not polled it once more: many are of its line, a thread is blocked or busy, or what polls it leaves it out."
        "the other tasks: watch them too, and one that blocks its thread is named. If none does: was the code that finishes the \
          work started, and does it call wake?";
    Forever[PROMISE]: "returned Pending, and keeps no clone of its waker, so nothing can wake it."
        "that is meant so in std::future::pending(), which waits until it is dropped. All else that returns Pending has to leave its \
         waker with the code that finishes the work."
        "whether this is to last until it is dropped. If not: each path through its poll that ends in Pending.";
    BusyExecutor[POLLS]: "is polled again and again without a wake."
        "the executor polls in a loop instead of waiting for a wake. That costs CPU time, and it hides a wake that is missing."
        "the run loop. A task belongs back in the queue when its waker is called, rather than whenever it is Pending.";
    BusyFuture[POLLS]: "wakes itself in each poll."
        "a future that wakes itself is polled again at once, and the thread never sleeps. If it computes in between, it needs \
         more time."
        "poll. If it waits, it should leave the waker with the code that sees the event, so that the event wakes the task.";
    WaitsForChild: "waits for {other}, which it polls.";
    WaitsForParent: "was woken, and waits for {other}, which polls it.";
    InPoll: "waits in the poll of {other}, which does not return.";
    Young: "was made a moment ago.";
    Closure: "has not returned:";
    AtWork[INSIDE]: "is still at work."
        "it was woken or polled just now. Either it needs more time, or its wakes go round in a circle."
        "whether each poll gets further than the one before. Of a select! in a loop, each branch that loses begins anew: watch it.";
    GivenUp[DROPPED]: ""
        "each one begins again. If it had done half of its work, such as half of a read, that half is lost with it, unless the \
         operation is cancel safe."
        "the select or timeout that drops it. Make the future before the loop and poll it by reference, or keep what it has read \
         outside of it.";
    NobodyLeft[POLLS, WAITERS]: "every watched future is ready or dropped, but the run does not end."
        "no watched future is left to wait for. Either one waits that is not watched, such as that of block_on; or an executor \
         waits for more work, and none can come; or a runtime is being dropped, and that waits for a thread which does not end."
        "which of these it is. An executor must learn that all tasks are finished: from a channel without senders, or from a \
         count of tasks that reaches zero; a waker that is still kept may hold a sender. The drop of a runtime (tokio's too) \
         waits for each closure of spawn_blocking that runs, for tokio::fs and for a read from tokio::io::stdin: end it by \
         shutdown_timeout or shutdown_background.";
}
