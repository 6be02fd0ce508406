//! pollster: `block_on`, and nothing else.

use contract::{BlockOn, Subject};
use pollster::block_on;

/// What this crate has to test.
pub(super) const SUBJECTS: &[Subject] = &[Subject::runtime(
    "pollster",
    &BlockOn {
        task: block_on,
        job: block_on,
    },
)];
