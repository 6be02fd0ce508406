//! # The climb
//!
//! A runtime of a learner's own is one file. This library puts such a file into a copy of `exercises/yours`, whose judge the learner can't
//! have changed, builds the ladder there, and returns how far it climbs. [`Ladder`] is for any file; [`mod@known`] are the files of the
//! teacher's folder, of which it is known how far they climb. [`scratch`] is the folder that the copy is in.

pub mod known;
mod ladder;
mod manifest;
/// The ladder's own: it writes what is read here.
#[path = "../../../exercises/yours/ladder/src/result.rs"]
mod result;
pub mod scratch;

use std::error;

pub use ladder::{Came, EXERCISE, FILE, Ladder, Limits, Raced};
pub use result::{Broken, Climb, NotKept, NotMine, Tried};

/// Why a file couldn't be judged.
pub type Error = Box<dyn error::Error + Send + Sync>;
