//! # Pictures of runs
//!
//! Draws the runs that the book shows, from the recordings that the tests of the stages make, and from nothing else.
//!
//! Read in this order:
//!
//! 1. `run.rs`: a recording, and what its picture looks like.
//! 2. `chart.rs`: what there is to draw, as bars, arrows and marks. `replay.rs` finds it by going through a recording
//!    event by event, and `sentence.rs` says each event in words.
//! 3. `lanes.rs` draws a chart with the pens of `canvas.rs`, and `legend.rs` the signs that occur in it; `text.rs` knows
//!    how wide a text is. `times.rs` draws two runs on one axis. `figure.rs` is the finished picture.

mod canvas;
mod chart;
mod figure;
mod lanes;
mod legend;
mod replay;
mod run;
mod sentence;
mod text;
mod times;

use std::process::ExitCode;

use clap::Parser;
use kit::{files, written};

use crate::{
    figure::Figure,
    run::{Run, book},
};

const HOW: &str = "cargo run -p picture -- --write";

/// Draws the runs of the stages, from the recordings in book/recordings
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// Write what differs into book/src/pictures; without it, say what is stale, with status 1
    #[arg(long)]
    write: bool,
}

fn main() -> ExitCode {
    let checked = run::all().and_then(|runs| check(&runs, Options::parse().write));
    match checked {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaints) => {
            eprintln!("{complaints}");
            ExitCode::FAILURE
        }
    }
}

/// Every picture of one run or two.
fn figures(runs: &[Run]) -> Vec<Figure> {
    let times = times::ALL.iter().map(|times| times.figure(runs));
    runs.iter().map(Figure::new).chain(times).collect()
}

/// Compares the pictures in the book with what is drawn now. With `write`, brings them up to date.
fn check(runs: &[Run], write: bool) -> Result<(), String> {
    let mut complaints = Vec::new();
    let mut ours = Vec::new();
    for figure in figures(runs) {
        let file = book(&format!("src/pictures/{}.svg", figure.name()));
        complaints.extend(written::check(&file, &figure.to_html(), write, HOW).err());
        ours.push(file);
    }
    let there = files::below(&book("src/pictures")).map_err(|error| error.to_string())?;
    for file in there {
        let name = files::shown(&files::root(), &file);
        if name.contains("/run-") && !ours.contains(&file) {
            complaints.push(format!("{name}: no run has this name: remove it"));
        }
    }
    match complaints.is_empty() {
        true => Ok(()),
        false => Err(complaints.join("\n")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_shows_every_run_as_it_is_drawn_now() {
        let runs = run::all().unwrap();
        check(&runs, false).unwrap_or_else(|complaints| panic!("{complaints}"));
    }

    #[test]
    fn a_recording_is_read_as_it_is_written() {
        for run in run::all().unwrap() {
            let file = book(&format!("recordings/{}.json", run.name));
            let text = files::read(&file).unwrap();
            let written = run.recording.to_json();
            assert!(
                text.ends_with(&(written[1..].to_owned() + "\n")),
                "{}",
                run.name
            );
        }
    }

    #[test]
    fn no_text_is_cut_off() {
        for figure in figures(&run::all().unwrap()) {
            let name = figure.name();
            assert!(
                figure.cut_off() == 0.0,
                "{name}: a text is too wide: make it shorter"
            );
        }
    }

    /// `cargo test -p course` says what any SVG needs to be part of a page. This is what ours have in common.
    #[test]
    fn a_drawing_has_the_form_of_the_pictures_of_runs() {
        for file in files::below(&book("src/pictures")).unwrap() {
            let html = files::read(&file).unwrap();
            let name = file.file_stem().unwrap().to_str().unwrap();
            let (title, desc) = (
                format!("picture-{name}-title"),
                format!("picture-{name}-desc"),
            );
            for part in [
                // Each picture of a run is followed by its events in words.
                if name.starts_with("run-") {
                    "</svg>\n<details>"
                } else {
                    "</svg>\n"
                },
                r#"<figure class="picture"><svg "#,
                &format!(r#"aria-labelledby="{title} {desc}""#),
                &format!(r#"<title id="{title}">"#),
                &format!(r#"<desc id="{desc}">"#),
                r#"viewBox="0 0 400 "#,
                "</figcaption></figure>\n",
            ] {
                assert!(html.contains(part), "{name}.svg: {part:?} is missing");
            }
        }
    }
}
