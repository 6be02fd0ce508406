//! Whoever runs one future: all of them have the same shape.

use std::panic::AssertUnwindSafe;

use crate::{Answer, Job, Runtime, Task, join_by_calling, only_one};

/// A `block_on`, once for a task and once for a job: a function pointer cannot be generic.
pub(super) struct BlockOn {
    pub(super) task: fn(Task),
    pub(super) job: fn(Job) -> u32,
}

impl Runtime for BlockOn {
    fn run(&self, tasks: Vec<Task>) -> Answer {
        only_one(tasks, self.task)
    }

    fn join(&self, job: Job, before: Option<Task>) -> Answer<Result<u32, String>> {
        join_by_calling(before, AssertUnwindSafe(|| (self.job)(job)))
    }
}
