//! # Pictures of runs
//!
//! Draws the runs that the book shows, from the recordings that `examples/record` makes, and a reader's own.
//!
//! Read in this order:
//!
//! 1. `run.rs`: a recording with names, and what `book/players.toml` says of it. `state.rs` says what is where after each event, and
//!    `place.rs` what is in a place by a rule of that file. `frame.rs` goes through a recording, and `sentence.rs` says what an event
//!    did.
//! 2. `player.rs`: what a page needs to step through those states. `steps.rs` puts the events of two runs on one clock,
//!    `lanes.rs` draws the lanes with `svg.rs`, and `text.rs` makes HTML of words.
//! 3. `own.rs`: a page of a reader's own run.
//! 4. `scheduler.rs`: the figures in which the reader decides which thread goes next.

mod frame;
mod lanes;
mod own;
mod place;
mod player;
mod run;
mod scheduler;
mod sentence;
mod state;
mod steps;
mod svg;
mod text;

use kit::{files, written};
use serde::de::DeserializeOwned;

pub use own::show;
pub use player::{beside, besides};
pub use run::{Beside, Kind, Lane};

use player::players;

/// A file in the folder of the book: TOML, or a recording.
fn read<T: DeserializeOwned>(path: &str) -> Result<T, String> {
    let file = files::root().join("book").join(path);
    let text = files::read(&file).map_err(|error| error.to_string())?;
    let read = if path.ends_with("json") {
        serde_json::from_str(&text).map_err(|error| error.to_string())
    } else {
        toml::from_str(&text).map_err(|error| error.message().to_owned())
    };
    read.map_err(|why| format!("book/{path}: {why}"))
}

/// Compares the pictures in the book with what is drawn now. With `write`, brings them up to date.
///
/// # Errors
///
/// What differs or cannot be read, a line for each.
pub fn check(write: bool) -> Result<(), String> {
    let (mut complaints, mut ours) = (Vec::new(), Vec::new());
    let pictures = files::root().join("book/src/pictures");
    let players = players()?
        .into_iter()
        .map(|it| (it.name.clone(), it.to_html()));
    for (name, html) in players.chain(scheduler::figures()?) {
        let file = pictures.join(format!("{name}.svg"));
        let how = "cargo run -p picture -- --write";
        complaints.extend(written::check(&file, &html, write, how).err());
        ours.push(file);
    }
    for file in files::below(&pictures).map_err(|error| error.to_string())? {
        let name = files::shown(&files::root(), &file);
        let is_drawn = name.contains("/run-") || name.contains("/scheduler-");
        if is_drawn && !ours.contains(&file) {
            complaints.push(format!("{name}: no player has this name: remove it"));
        }
    }
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(complaints.join("\n"))
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
    fn each_name_of_a_step_is_of_one_whose_line_is_listed_once() {
        for player in players().unwrap() {
            let listing = player::listed(&player.beside.listing);
            let (name, used) = (&player.name, player.lines());
            for line in used.iter().flatten() {
                let count = listing.iter().filter(|it| it == line).count();
                assert_eq!(count, 1, "{name}: {line:?} must be in its listing once");
            }
            for (key, line) in &player.beside.lines {
                assert!(used.contains(&Some(line)), "{name}: no step is at `{key}`");
            }
            let frames = player.parts.iter().flat_map(|it| &it.frames);
            let known: Vec<_> = frames.flat_map(|it| &it.keys).collect();
            let it = &player.beside;
            let said = it.says.iter().filter(|it| !it.1.is_empty()).map(|it| it.0);
            let keys = it.omits.keys().chain(it.room.keys()).chain(said);
            for key in keys.chain([&it.decides[0]]) {
                assert!(known.contains(&key), "{name}: no step is `{key}`");
            }
        }
    }
}
