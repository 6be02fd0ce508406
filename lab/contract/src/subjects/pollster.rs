//! pollster: `block_on`, and nothing else.

use pollster::block_on;

use super::block_on::BlockOn;
use crate::Subject;

/// What this crate has to test.
pub const SUBJECTS: &[Subject] = &[Subject::runtime(
    "pollster",
    &BlockOn {
        task: block_on,
        job: block_on,
    },
)];
