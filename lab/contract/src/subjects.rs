//! Everything that stands in a column of the matrix: the stages of this course, and what other people wrote.
//!
//! Each is behind a feature, so that the tests of one stage build that stage alone.

use crate::Subject;

#[cfg(feature = "real")]
pub mod futures;
#[cfg(feature = "real")]
pub mod pollster;
#[cfg(feature = "real")]
pub mod smol;
#[cfg(feature = "step03")]
pub mod step03;
#[cfg(feature = "step04")]
pub mod step04;
#[cfg(feature = "step05")]
pub mod step05;
#[cfg(feature = "step06")]
pub mod step06;
#[cfg(feature = "step07")]
pub mod step07;
#[cfg(feature = "real")]
pub mod tokio;

#[cfg(any(feature = "real", feature = "step05"))]
mod block_on;

/// All that were built, in the order of the matrix.
pub fn all() -> Vec<Subject> {
    let subjects: &[&[Subject]] = &[
        #[cfg(feature = "step03")]
        step03::SUBJECTS,
        #[cfg(feature = "step04")]
        step04::SUBJECTS,
        #[cfg(feature = "step05")]
        step05::SUBJECTS,
        #[cfg(feature = "step06")]
        step06::SUBJECTS,
        #[cfg(feature = "step07")]
        step07::SUBJECTS,
        #[cfg(feature = "real")]
        futures::SUBJECTS,
        #[cfg(feature = "real")]
        pollster::SUBJECTS,
        #[cfg(feature = "real")]
        smol::SUBJECTS,
        #[cfg(feature = "real")]
        tokio::SUBJECTS,
    ];
    subjects.concat()
}
