//! Puts `block_on` of stage 05 under the contract, with both of its wakers.

use std::task::Waker;

use contract::{Preset, Subject};
use step05_parker_block_on::{block_on_with, waker::v1_by_hand};

/// What the stage has to test.
pub const SUBJECTS: [Subject; 2] = [BY_HAND, BY_WAKE];

/// With a waker on a vtable by hand.
const BY_HAND: Subject = Subject::runtime(
    "step05-by-hand",
    &Preset::block_on(|task| block_on_with(v1_by_hand::waker, task)),
);

/// With a waker by `Wake`.
const BY_WAKE: Subject = Subject::runtime(
    "step05",
    &Preset::block_on(|task| block_on_with(Waker::from, task)),
);
