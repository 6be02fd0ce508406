//! What the documentation of the standard library says: the sentences that clauses rest on.

use crate::{Level, level::Says};

impl Level {
    const fn std(of: &'static str, at: &'static str, words: &'static str) -> Level {
        Level::Std(Says { words, of, at })
    }

    pub(crate) const EACH_WAKE: Level = Level::std(
        "Waker::wake",
        "task/struct.Waker.html#method.wake",
        "it is guaranteed that each invocation of wake() (or wake_by_ref()) will be followed by at least one poll() of the task to which this Waker belongs",
    );

    pub(crate) const ANY_THREAD: Level = Level::std(
        "Waker",
        "task/struct.Waker.html",
        "a waker may be invoked from any thread, including ones not in any way managed by the executor",
    );

    pub(crate) const SAME_TASK: Level = Level::std(
        "Waker::will_wake",
        "task/struct.Waker.html#method.will_wake",
        "if this function returns true, it is guaranteed that the Wakers will awaken the same task",
    );

    pub(crate) const VTABLE_WAKES: Level = Level::std(
        "RawWakerVTable::new",
        "task/struct.RawWakerVTable.html#method.new",
        "It must wake up the task associated with this RawWaker.",
    );

    pub(crate) const VTABLE_RELEASES: Level = Level::std(
        "RawWakerVTable::new",
        "task/struct.RawWakerVTable.html#method.new",
        "must make sure to release any resources that are associated with this instance of a RawWaker and associated task",
    );

    pub(crate) const FINISHED: Level = Level::std(
        "Future::poll",
        "future/trait.Future.html#tymethod.poll",
        "Once a future has finished, clients should not poll it again.",
    );

    pub(crate) const UNPARK_AND_NESTED: Level = Level::std(
        "Wake",
        "task/trait.Wake.html",
        "In order to prevent deadlocks, production-grade implementations will also need to handle intermediate calls to thread::unpark as well as nested invocations.",
    );

    pub(crate) const PENDING: Level = Level::std(
        "Poll::Pending",
        "task/enum.Poll.html#variant.Pending",
        "When a function returns Pending, the function must also ensure that the current task is scheduled to be awoken when progress can be made.",
    );

    pub(crate) const MOST_RECENT: Level = Level::std(
        "Future::poll",
        "future/trait.Future.html#tymethod.poll",
        "only the Waker from the Context passed to the most recent call should be scheduled to receive a wakeup",
    );
}
