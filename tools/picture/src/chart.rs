//! What there is to draw: bars, arrows and signs, each in a lane and in a row.

/// The number of a lane, from the left.
pub(crate) type Column = usize;
/// The number of a row, from the top.
pub(crate) type Row = usize;

/// What is to be drawn.
#[derive(Debug, Default)]
pub(crate) struct Chart {
    /// What stands beside each row.
    pub(crate) rows: Vec<RowText>,
    /// What lasts.
    pub(crate) bars: Vec<Bar>,
    /// What goes from one lane to another.
    pub(crate) arrows: Vec<Arrow>,
    /// What happens at one point.
    pub(crate) signs: Vec<(Sign, Column, Row)>,
}

/// What happened in a row.
#[derive(Debug)]
pub(crate) struct RowText {
    /// In words.
    pub(crate) text: String,
    /// When, in milliseconds. `None`: it is no event.
    pub(crate) at: Option<f32>,
}

/// What lasts from one row to another.
#[derive(Debug)]
pub(crate) struct Bar {
    /// What it is.
    pub(crate) kind: BarKind,
    /// Where.
    pub(crate) column: Column,
    /// Which of those that last at the same time.
    pub(crate) slot: usize,
    /// Since when. `None`: since before the recording.
    pub(crate) from: Option<Row>,
    /// Until when. `None`: it is not over.
    pub(crate) to: Option<Row>,
}

/// What may last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarKind {
    /// A future exists.
    Exists,
    /// A future is polled.
    Poll,
    /// A thread is at work, until it is seen to sleep.
    Awake,
    /// A thread was at work, and nothing more is known of it.
    Seen,
    /// A clone of a waker is kept.
    Held,
    /// A task is in the executor's queue.
    Queued,
}

/// An arrow in a row.
#[derive(Debug)]
pub(crate) struct Arrow {
    /// What it is.
    pub(crate) way: Way,
    /// Where it begins.
    pub(crate) from: Column,
    /// Where it ends.
    pub(crate) to: Column,
    /// Its row.
    pub(crate) row: Row,
}

/// What goes along an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// A poll.
    Poll,
    /// Its answer.
    Answer,
    /// A clone of a waker.
    Waker,
    /// A wake.
    Wake,
    /// Tasks that one worker takes from another.
    Steal,
}

/// A sign at one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// A future is made.
    Made,
    /// Data is sent.
    Sent,
    /// A future is ready.
    Ready,
    /// A future is dropped, or panics.
    Gone,
}
