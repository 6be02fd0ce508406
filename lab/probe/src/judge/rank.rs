//! Which of two diagnoses comes first in a message: causes before what may only follow from them.

use crate::judge::diagnosis::Kind::{self, *};

/// In this order, those of one line together. Between two lines: why the first comes before the second.
const ORDER: &[&[Kind]] = &[
    &[LockTwice],
    // A thread that waits for itself waits forever. The task that holds the lock across an await may be polled by another thread.
    &[LockAcrossAwait],
    // That task needs this thread, or another one, to be polled. A thread that holds a lock may be about to release it.
    &[LockHeld],
    // Both lines of a lock are known, and what the executor inside waits for may be that lock.
    &[ExecutorInside],
    // What goes on in that poll is known. Of a poll that blocks, only that it doesn't return.
    &[Blocked],
    // A poll that panics is about to return.
    &[Panicking],
    // It has not returned yet.
    &[Returned],
    // A thread that is kept polls no other task, so what the others lack may follow from that.
    &[KeptNoWaker],
    // The promise is broken for certain, where an async function may await `pending()` on purpose.
    &[NoneKeptInside],
    // A future that keeps no waker is wrong by itself. A waker that was kept may be gone because something else has ended.
    &[WakerDropped],
    // The waker was lost after the poll, for certain. A poll that drops its clones may await `pending()`.
    &[DroppedInPoll],
    // It concerns this future alone. A waker that was replaced is a matter of two.
    &[WakerReplaced],
    // Its waker is gone. An old one that is woken shows at least that the event has come.
    &[OldWoken],
    // The wrong waker was woken, for certain. One that is only kept may be replaced yet.
    &[OldKept],
    // It is stuck itself. What was ready has done its part, and who polls it is wrong.
    &[PolledAfterReady],
    // It keeps being polled, and nothing can come of that. A panic is over, and the run may have gone on without that task.
    &[Panicked],
    // The panic began in the future inside.
    &[PanickedWithChild],
    // What panicked may be what has left the other one behind.
    &[PassedBy],
    // Who polls it was polled, and so is known to have left it. A wake that was lost on its way may be lost in anything between.
    &[LostBetween],
    // Who polls it is still there, and could be told.
    &[Orphaned],
    // Why nothing polls it is known.
    &[NotPolledAgain],
    // A wake has asked for the poll. A future that was never polled may not be meant to run yet.
    &[NeverPolled],
    // What is not polled may be what should wake the others.
    &[WakeMissing],
    // One that is ready is done. One that went on has stopped again, perhaps for another reason.
    &[WentOn],
    // The event has come, and only its wake is missing. Of the next, nothing has come.
    &[Waits, NotReached, NotRead], // neither is more to blame than the other
    // These were polled once more, and where they wait is known.
    &[NotWoken],
    // Those wait for something that may come.
    &[Forever],
    // What stands still comes before what moves.
    &[BusyExecutor],
    // An executor that polls in a loop does so with each of its tasks.
    &[BusyFuture],
    // A loop explains a run that does not end. What is at work may only need more time.
    &[AtWork],
    // The rest follows from what is said of others, or too little is known to explain it. First, who waits for one inside
    &[WaitsForChild],
    // or, outside, for one that is to poll it next,
    &[WaitsForParent],
    // or in a poll that does not return.
    &[InPoll],
    // All these have been there for both looks.
    &[Young],
    // A closure has a thread of its own, and keeps no task from its poll.
    &[Closure],
    // These are tasks. The last two are what a message says if none is to blame.
    &[GivenUp],
    // Something is still made and dropped. Of a run in which nothing is left, there is no more to say.
    &[NobodyLeft],
];

impl Kind {
    /// The lower, the earlier in a message.
    pub(crate) fn rank(self) -> usize {
        let rank = ORDER.iter().position(|kinds| kinds.contains(&self));
        rank.expect("each kind has its place in the order")
    }
}

#[cfg(test)]
#[path = "../../tests/inside/rank.rs"]
mod tests;
