//! The pictures of the book.
//!
//! Two kinds, drawn with the same pens. A picture of a *run* is made from a recording of that run, never by hand: a stage
//! runs, an instrument stands between its executor and its futures, and what it took down is drawn. A *diagram* shows
//! what no run can: a data structure, a state machine, the whole way of a future.
//!
//! Read in this order:
//!
//! 1. `run.rs` and `runs/`: what is recorded, one run or two of each stage. `simple.rs` records the stages 01 and 02,
//!    whose futures are not the standard library's; [`probe::record`] the others.
//! 2. `story.rs`: an event as a sentence. `scene.rs`: what is to be drawn;
//!    `director.rs` works it out, `lanes.rs` draws it.
//! 3. `canvas.rs`, `words.rs`, `figure.rs`: boxes, arrows and text; how wide a text is; a finished picture.
//!    `misplaced.rs` finds text that is cut off or crossed.
//! 4. `diagrams/`: what is drawn and not recorded.
//! 5. `album.rs`: where the files are, and whether they are what is drawn now.

pub mod album;
pub mod canvas;
pub mod diagrams;
mod director;
pub mod figure;
pub mod lanes;
pub mod misplaced;
pub mod rect;
pub mod run;
pub mod runs;
pub mod scene;
mod simple;
pub mod story;
pub mod words;
