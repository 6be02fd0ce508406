//! What is to be drawn of a recording, and where: bars, arrows and marks, each at a lane and in a row.

/// The number of a lane, from the left.
pub type Column = usize;
/// The number of a row, from the top.
pub type Row = usize;

/// What is to be drawn.
#[derive(Debug, Default)]
pub struct Scene {
    /// What stands beside each row.
    pub rows: Vec<Sentence>,
    /// What lasts.
    pub bars: Vec<Bar>,
    /// What goes from one lane to another.
    pub arrows: Vec<Arrow>,
    /// What happens at one point.
    pub marks: Vec<(Mark, Column, Row)>,
}

/// What happened in a row.
#[derive(Debug)]
pub struct Sentence {
    /// In words.
    pub text: String,
    /// A thread goes to sleep: its lane is empty from here on, and that needs room.
    pub asleep: bool,
}

/// What lasts from one row to another.
#[derive(Debug)]
pub struct Bar {
    /// What it is.
    pub kind: Kind,
    /// Where.
    pub column: Column,
    /// Which of those that last at the same time.
    pub slot: usize,
    /// Since when. `None`: since before the recording.
    pub from: Option<Row>,
    /// Until when. `None`: it is not over.
    pub to: Option<Row>,
}

/// What may last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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
}

/// An arrow in a row.
#[derive(Debug)]
pub struct Arrow {
    /// What it is.
    pub way: Way,
    /// Where it begins.
    pub from: Column,
    /// Where it ends.
    pub to: Column,
    /// Its row.
    pub row: Row,
}

/// What goes along an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A poll.
    Poll,
    /// Its answer.
    Answer,
    /// A clone of a waker.
    Waker,
    /// A wake.
    Wake,
}

/// A sign at one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A future is made.
    Made,
    /// A future is ready.
    Ready,
    /// A future is dropped, or panics.
    Gone,
}
