//! The versions of the scheduler: where a worker puts a task, and where it looks for one.

use crate::{
    task::{Task, Why},
    worker::Local,
};

/// How tasks come to the workers. Each version has all that the earlier ones have.
///
/// ```
/// use step10_work_stealing::{Runtime, Version};
///
/// let runtime = Runtime::with_version(2, Version::Stealing);
/// let answer = runtime.spawn(async { 6 * 7 });
/// assert_eq!(runtime.block_on(answer).unwrap(), 42);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Version {
    /// One queue for all workers, as in stage 08.
    SharedQueue,
    /// A queue for each worker, and the shared one only for what comes from outside.
    LocalQueues,
    /// A worker that has nothing to do takes half of another worker's queue.
    Stealing,
    /// What a task wakes or spawns runs next, on the same worker.
    #[default]
    LifoSlot,
}

// ANCHOR: table
impl Version {
    /// Puts a task that the worker has spawned or woken, or that lets other tasks go first.
    pub(crate) fn put(self, worker: &Local, task: Task, why: Why) {
        match (self, why) {
            (Version::SharedQueue, _) => worker.shared.inject(task),
            (Version::LifoSlot, Why::Woken) => worker.put_in_slot(task),
            _ => worker.put_in_queue(task),
        }
    }

    /// Looks for the next task of the worker, in one place after the other.
    pub(crate) fn next(self, worker: &Local) -> Option<Task> {
        match self {
            Version::SharedQueue => worker.shared.injector.pop(),
            Version::LocalQueues => worker.pop_queue().or_else(|| worker.shared.injector.pop()),
            Version::Stealing => worker
                .pop_queue()
                .or_else(|| worker.pop_share())
                .or_else(|| worker.steal()),
            Version::LifoSlot => worker.pop_slot().or_else(|| Version::Stealing.next(worker)),
        }
    }

    /// Whether a worker takes tasks from the queues of other workers.
    pub(crate) fn steals(self) -> bool {
        self >= Version::Stealing
    }
}
// ANCHOR_END: table
