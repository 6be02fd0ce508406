//! # Pictures of runs
//!
//! Draws the runs that the book shows, from the recordings that `examples/record` makes, and a reader's own. The README says which file
//! draws what. To read on, in this order:
//!
//! 1. `beside`: the words of `book/players.toml`. `run`: a recording with names, and what is where after each of its events.
//! 2. `player`: a figure in which a reader steps through one run or two.
//! 3. `own`: a page with a reader's own run.
//! 4. `scheduler`: the figures in which the reader decides what happens next. `play`: the page with these figures alone.
//!
//! `figure`, `listing`, `text` and `read` serve them all: a figure as a page includes it, the code beside it, words as HTML, and the files
//! in `book`.

mod beside;
mod figure;
mod listing;
mod own;
mod play;
mod player;
mod read;
mod run;
mod scheduler;
mod text;

use std::path::PathBuf;

use kit::{files, source, written};

pub use beside::{Beside, Kind, Lane, beside, besides};
pub use own::show;
pub use run::objects::{NOT_SHOWN, objects};

use player::{Player, players};

/// What is stale or wrong in the pictures of the book, in what `players.toml` and `schedulers.toml` say of them, and in the recordings.
/// With `write`, brings the pictures up to date, and says what is wrong beside that. A picture of which a place is not there stays
/// as it is: it would be drawn without the line.
///
/// # Errors
///
/// What cannot be read, in one line.
pub fn complaints(write: bool) -> Result<Vec<String>, String> {
    let pictures = files::root().join("book/src/pictures");
    let (mut found, mut ours) = (Vec::new(), Vec::new());
    let mut check = |file: PathBuf, html: &dyn Fn() -> String, faults: &[String]| {
        let how = "cargo run -p course -- --write";
        if faults.is_empty() {
            found.extend(written::check(&file, &html(), write, how).err());
        }
        ours.push(file);
    };
    let picture = |name: &str| pictures.join(format!("{name}.svg"));
    let mut wrong = Vec::new();
    for player in players()? {
        let mut faults = player.faults();
        faults.extend(not_recorded(&player));
        check(picture(&player.name), &|| player.to_html(), &faults);
        wrong.extend(faults);
    }
    let faults = scheduler::faults()?;
    for (name, html) in scheduler::figures()? {
        check(picture(&name), &|| html.clone(), &faults);
    }
    let page = files::root().join("book/src/play/index.html");
    let html = play::page()?;
    check(page, &|| html.clone(), &faults);
    found.splice(0..0, wrong.into_iter().chain(faults));
    for file in files::below(&pictures).map_err(|error| error.to_string())? {
        let name = files::shown(&files::root(), &file);
        let is_drawn = name.contains("/run-") || name.contains("/scheduler-");
        if is_drawn && !ours.contains(&file) {
            found.push(format!("{name}: no player has this name: remove it"));
        }
    }
    Ok(found)
}

/// Which of its recordings name code that their file no longer has.
fn not_recorded(player: &Player) -> Vec<String> {
    let mut found = Vec::new();
    for (name, part) in player.recordings() {
        let mut places: Vec<&str> = part.run.events.iter().map(|event| &*event.place).collect();
        places.sort_unstable();
        places.dedup();
        for (file, code) in places.iter().filter_map(|place| place.split_once(": ")) {
            let text = files::read(&files::root().join(file)).unwrap_or_default();
            if !source::code(&text).contains(&code) {
                found.push(format!(
                    "book/recordings/{name}.json: {file} has no `{code}` any more: record it again with \
                     `RUSTFLAGS=\"--cfg recorded\" cargo run -p picture --target-dir target/recorded --example record -- --write {name}`"
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_shows_every_run_as_it_is_drawn_now() {
        let found = complaints(false).unwrap();
        assert!(found.is_empty(), "\n{}\n", found.join("\n"));
    }
}
