//! The adapter for a function that runs one future.

use std::panic::AssertUnwindSafe;

use crate::{Answer, BoxFuture, Job, NotItsJob, Runtime, caught, runtime::only_one};

/// A `block_on` as a runtime under test. The function is named twice, because a function pointer cannot be generic.
///
/// ```
/// use runtime_contract::{BlockOn, clauses};
/// use futures::executor::block_on;
///
/// const FUTURES: BlockOn = BlockOn { task: block_on, job: block_on };
///
/// assert_eq!(clauses::wake::woken_in_poll(&FUTURES), Ok(()));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct BlockOn {
    /// Runs a task.
    pub task: fn(BoxFuture),
    /// Runs a task with a result.
    pub job: fn(Job) -> u32,
}

impl Runtime for BlockOn {
    fn run(&self, tasks: Vec<BoxFuture>) -> Answer {
        only_one(tasks, self.task)
    }

    /// The caller itself waits for the result, and a panic passes through it.
    fn join(&self, job: Job, before: Option<BoxFuture>) -> Answer<Result<u32, String>> {
        match before {
            Some(_) => Err(NotItsJob),
            None => Ok(caught(AssertUnwindSafe(|| (self.job)(job)))),
        }
    }
}
