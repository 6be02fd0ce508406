//! The versions of the scheduler. `worker.rs` has what they differ in: where a worker puts a task, and where it finds one.

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
    /// A local queue for each worker, and the shared one, which is the injector now, only for what comes from outside.
    LocalQueues,
    /// A worker that has nothing to do takes half of another worker's local queue.
    Stealing,
    /// What a task wakes or spawns runs next, on the same worker.
    #[default]
    LifoSlot,
}

impl Version {
    /// Whether a worker takes tasks from the local queues of other workers.
    pub(crate) fn steals(self) -> bool {
        self >= Version::Stealing
    }
}
