//! What a player is made of: its runs, and its steps.

use crate::{
    beside::Place,
    run::{Run, frame::Frame},
};

/// One of the runs that a player shows.
pub(crate) struct Part {
    /// What stands above it. Empty if it is the only one.
    pub(crate) label: String,
    pub(crate) run: Run,
    pub(crate) frames: Vec<Frame>,
    pub(crate) places: Vec<Place>,
}

#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// When it is drawn, in nanoseconds: if events of two runs are one step, that of the later one, and after a pause that is asked for.
    pub(crate) at: u64,
    /// Where it is, in percent of the width.
    pub(crate) x: f32,
    /// What happens, in one part or in both.
    pub(crate) frames: Vec<Happens>,
}

/// What happens in one of the runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Happens {
    /// The numbers of the part, and of one of its frames.
    pub(crate) part: usize,
    pub(crate) frame: usize,
}
