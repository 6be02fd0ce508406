//! The versions of the scheduler: where a worker puts a task, and where it looks for one.

use crate::{task::Task, worker::Local};

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

/// Puts a task where a worker of its runtime will find it.
pub(crate) type Put = fn(&Local, Task);

/// Finds a task to poll.
pub(crate) type Source = fn(&Local) -> Option<Task>;

// ANCHOR: table
impl Version {
    /// Where a task goes that a worker spawns or wakes.
    pub(crate) fn put(self) -> Put {
        match self {
            Version::SharedQueue => Local::put_in_injector,
            Version::LocalQueues | Version::Stealing => Local::put_in_queue,
            Version::LifoSlot => Local::put_in_slot,
        }
    }

    /// Where a task goes that lets others go first.
    pub(crate) fn put_back(self) -> Put {
        match self {
            Version::SharedQueue => Local::put_in_injector,
            _ => Local::put_in_queue,
        }
    }

    /// Where a worker looks for its next task, in this order.
    pub(crate) fn sources(self) -> &'static [Source] {
        match self {
            Version::SharedQueue => &[Local::pop_injector],
            Version::LocalQueues => &[Local::pop_queue, Local::pop_injector],
            Version::Stealing => &[Local::pop_queue, Local::pop_share, Local::steal],
            Version::LifoSlot => &[
                Local::pop_slot,
                Local::pop_queue,
                Local::pop_share,
                Local::steal,
            ],
        }
    }

    /// Whether a worker takes tasks from the queues of the others.
    pub(crate) fn steals(self) -> bool {
        self >= Version::Stealing
    }
}
// ANCHOR_END: table
