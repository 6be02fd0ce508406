//! What all threads share of a runtime.

use std::sync::Arc;

use crate::{Queue, task_list::TaskList};

use super::{blocking::BlockingPool, runnable::Runnable};

/// What the runtime, its handles and its workers share.
// ANCHOR: struct
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) queue: Arc<Queue<Runnable>>,
    pub(super) tasks: Arc<TaskList>,
    pub(super) blocking: BlockingPool,
}
// ANCHOR_END: struct
