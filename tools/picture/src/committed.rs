//! The recordings and pictures in the book: whether they show what the stages do now.

use std::{collections::BTreeMap, ffi::OsStr, path::PathBuf};

use kit::{files, written};
use probe::Recording;

use crate::{
    figure::Figure,
    run::{Run, TRIES, order},
    runs,
};

const HOW: &str = "cargo run -p picture -- --write";

/// The book's folder.
pub fn book() -> PathBuf {
    files::root().join("book")
}

fn json(run: &Run) -> PathBuf {
    book().join(format!("recordings/{}.json", run.name))
}

fn svg(name: &str) -> PathBuf {
    book().join(format!("src/pictures/{name}.svg"))
}

/// The recording of a run in the book, if there is one.
pub fn recording(run: &Run) -> Option<Recording> {
    let text = files::read(&json(run)).ok()?;
    Recording::from_json(&text).ok()
}

/// Records every run and draws it. With `write`, brings the files in the book up to date.
///
/// A recording whose events come in the same order is left as it is, because its times differ each time.
///
/// # Errors
///
/// All that differs from the book, or cannot be written.
pub fn check(write: bool) -> Result<(), String> {
    let mut complaints = Vec::new();
    let mut ours = Vec::new();
    let mut recordings = BTreeMap::new();
    for run in runs::ALL {
        let json = json(run);
        let svg = svg(run.name);
        let checked = up_to_date(run, write).and_then(|recording| {
            let html = Figure::new(run, &recording).to_html();
            recordings.insert(run.name, recording);
            written::check(&svg, &html, write, HOW)
        });
        complaints.extend(checked.err());
        ours.extend([json, svg]);
    }
    for times in runs::TIMES {
        let svg = svg(times.name);
        if let [Some(one), Some(two)] = times.runs.map(|(run, _)| recordings.get(run.name)) {
            let html = times.figure([one, two]).to_html();
            complaints.extend(written::check(&svg, &html, write, HOW).err());
        }
        ours.push(svg);
    }
    for folder in ["recordings", "src/pictures"] {
        let there = files::below(&book().join(folder)).map_err(|error| error.to_string())?;
        let is_of_a_run = |file: &PathBuf| file.file_name().is_some_and(starts_with_run);
        let left_over = |file: &PathBuf| is_of_a_run(file) && !ours.contains(file);
        complaints.extend(there.into_iter().filter(left_over).map(|file| {
            let file = files::shown(&files::root(), &file);
            format!("{file}: no run has this name: remove it, or add the run to `runs.rs`")
        }));
    }
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(complaints.join("\n"))
    }
}

fn starts_with_run(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with("run-")
}

/// The recording in the book, if a run of now has its order of events. Otherwise that of the run, which is written.
fn up_to_date(run: &Run, write: bool) -> Result<Recording, String> {
    let known = recording(run);
    let wanted = known.as_ref().map(order).unwrap_or_default();
    let now = run.record_like(&wanted);
    match known {
        Some(known) if order(&now) == wanted => Ok(known),
        _ => written::check(&json(run), &(now.to_json() + "\n"), write, HOW)
            .map(|()| now.clone())
            .map_err(|stale| {
                let now = order(&now);
                format!("{stale}\nrecorded {TRIES} times, last in this order:\n{now}in the book:\n{wanted}")
            }),
    }
}
