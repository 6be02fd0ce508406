//! Stage 05: `block_on` with two wakers.

use std::task::Waker;

use step05_parker_block_on::{block_on_with, waker::v1_by_hand};

use super::block_on::BlockOn;
use crate::Subject;

/// What this stage has to test.
pub const SUBJECTS: &[Subject] = &[BY_HAND, BY_WAKE];

/// With a waker on a vtable by hand.
pub const BY_HAND: Subject = Subject::runtime(
    "step05-by-hand",
    &BlockOn {
        task: |task| block_on_with(v1_by_hand::waker, task),
        job: |job| block_on_with(v1_by_hand::waker, job),
    },
);

/// With a waker by `Wake`.
pub const BY_WAKE: Subject = Subject::runtime(
    "step05",
    &BlockOn {
        task: |task| block_on_with(Waker::from, task),
        job: |job| block_on_with(Waker::from, job),
    },
);
