//! Draws a run of a stage, for the page of the book that explains it.
//!
//! Such a picture is made from a recording of that run, and from nothing else: the stage runs, an instrument between its
//! executor and its futures takes down what happens, and that is drawn. If you change a stage, record it again with
//! `cargo run -p picture -- --write`.
//!
//! Read in this order:
//!
//! 1. `run.rs` and `runs/`: what is recorded, one run or two of each stage. [`probe::record`] records most of them;
//!    `simple_future.rs` records stages 01 and 02, whose futures are not those of the standard library.
//! 2. `chart.rs`: what there is to draw, as bars, arrows and marks. `replay.rs` finds it by going through a recording
//!    event by event, and `sentence.rs` says each event in words.
//! 3. `lanes.rs` draws a chart with the pens of `canvas.rs`, and `legend.rs` the signs that occur in it; `text.rs` knows
//!    how wide a text is. `times.rs` draws two runs on one axis. `figure.rs` is the finished picture.
//! 4. `committed.rs` compares all this with the files in the book.

mod canvas;
mod chart;
pub mod committed;
pub mod figure;
mod lanes;
mod legend;
mod replay;
pub mod run;
pub mod runs;
mod sentence;
mod simple_future;
mod text;
pub mod times;
