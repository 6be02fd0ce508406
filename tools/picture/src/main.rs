//! # Pictures of runs
//!
//! Draws the runs that the book shows, from recordings that the tests of the stages and of the museum make.
//!
//! Read in this order:
//!
//! 1. `run.rs`: a recording, and the rows that its test wants. `state.rs` says what is where after each event, and `place.rs` what
//!    is in a place by the rule of `book/players.toml`. `frame.rs` goes through a recording, and `sentence.rs` says what an event did.
//! 2. `player.rs`: what a page needs to step through those states. `steps.rs` puts the events of several runs on one clock,
//!    `cells.rs` fills the rows, `lanes.rs` draws the lanes with `svg.rs`, and `text.rs` makes HTML of words.
//! 3. `trace.rs` does the same for a reader's own run.

mod cells;
mod frame;
mod lanes;
mod place;
mod player;
mod run;
mod sentence;
mod state;
mod steps;
mod svg;
mod text;
mod trace;

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use kit::{files, written};

use crate::{player::players, run::book};

const HOW: &str = "cargo run -p picture -- --write";

/// Makes the players of the book out of book/recordings, or a page of your own recording
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// What `PROBE_TRACE=FILE` has written: makes FILE.html, to step through
    #[arg(conflicts_with = "write")]
    trace: Option<PathBuf>,
    /// Write what differs into book/src/pictures; without it, say what is stale, with status 1
    #[arg(long)]
    write: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Some(file) = options.trace {
        return match trace::show(&file) {
            Ok(page) => {
                println!("{}: open it in a browser", page.display());
                ExitCode::SUCCESS
            }
            Err(why) => {
                eprintln!("picture: {why}");
                ExitCode::from(2)
            }
        };
    }
    match check(options.write) {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaints) => {
            eprintln!("{complaints}");
            ExitCode::FAILURE
        }
    }
}

/// Compares the pictures in the book with what is drawn now. With `write`, brings them up to date.
fn check(write: bool) -> Result<(), String> {
    let mut complaints = Vec::new();
    let mut ours = Vec::new();
    for player in players()? {
        let file = book(&format!("src/pictures/{}.svg", player.name));
        complaints.extend(written::check(&file, &player.to_html(), write, HOW).err());
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
        check(false).unwrap_or_else(|complaints| panic!("{complaints}"));
    }

    #[test]
    fn a_recording_is_read_as_it_is_written() {
        for file in files::below(&book("recordings")).unwrap() {
            let text = files::read(&file).unwrap();
            let recording: probe::Recording = serde_json::from_str(&text).unwrap();
            let written = recording.to_json();
            let is_end = text.ends_with(&(written[1..].to_owned() + "\n"));
            assert!(is_end, "{}", file.display());
        }
    }

    #[test]
    fn a_line_at_work_is_in_the_listing_once_and_is_at_work_in_some_step() {
        for player in players().unwrap() {
            let (name, listing) = (&player.name, player.listing());
            for line in player.lines().into_iter().flatten() {
                let count = listing.iter().filter(|it| *it == line).count();
                assert_eq!(count, 1, "{name}: {line:?} must be in its listing once");
            }
            for (key, line) in &player.beside.lines {
                let used = player.lines().contains(&Some(line));
                assert!(used, "{name}: no step is at `{key}`");
            }
        }
    }

    #[test]
    fn a_lock_is_held_from_lock_to_unlock_and_a_full_place_takes_nothing() {
        for part in players().unwrap().into_iter().flat_map(|it| it.parts) {
            let (mut held, mut is_full) = (0, part.places.iter().all(|it| it.room == 0));
            for frame in part.frames {
                let is = |what: &str| usize::from(frame.keys[2] == what);
                held = held + is("lock") - is("unlock");
                for (place, there) in part.places.iter().zip(&frame.state.places) {
                    let name = &part.run.head.name;
                    assert!(place.enter != ["lock"] || there.len() == held, "{name}");
                    assert!(place.room == 0 || there.len() <= place.room, "{name}");
                    is_full |= place.room == there.len();
                }
            }
            assert!(is_full);
        }
    }

    #[test]
    fn a_player_is_small() {
        for player in players().unwrap() {
            let size = player.data().to_string().len();
            assert!(size <= 8 << 10, "{}: {size} bytes", player.name);
        }
        let script = files::read(&book("theme/player.js")).unwrap().len();
        assert!(script <= 12 << 10, "player.js: {script} bytes");
    }

    /// `cargo test -p course` says what any SVG needs to be part of a page. This is what ours have in common.
    #[test]
    fn a_drawing_has_the_form_of_the_others() {
        for file in files::below(&book("src/pictures")).unwrap() {
            let html = files::read(&file).unwrap();
            if html.contains("picture player") {
                continue;
            }
            let name = file.file_stem().unwrap().to_str().unwrap();
            let id = format!("picture-{name}");
            for part in [
                "</svg>\n",
                r#"<figure class="picture"><svg "#,
                &format!(r#"aria-labelledby="{id}-title {id}-desc""#),
                &format!(r#"<title id="{id}-title">"#),
                &format!(r#"<desc id="{id}-desc">"#),
                r#"viewBox="0 0 400 "#,
                "</figcaption></figure>\n",
            ] {
                assert!(html.contains(part), "{name}.svg: {part:?} is missing");
            }
        }
    }
}
