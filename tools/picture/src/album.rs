//! The files: `book/recordings/*.json` and `book/src/pictures/*.svg`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use probe::Recording;

use crate::diagrams;
use crate::figure::Figure;
use crate::lanes;
use crate::run::{Run, order};
use crate::runs;

/// The book's folder.
pub fn book() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).join("book")
}

/// Where the recording of a run is.
pub fn recording_of(run: &Run) -> PathBuf {
    book().join("recordings").join(format!("{}.json", run.name))
}

/// Where a picture is.
pub fn picture_of(figure: &Figure) -> PathBuf {
    let file = format!("{}.svg", figure.name);
    book().join("src/pictures").join(file)
}

/// Reads a file that git may have written with the line ends of Windows.
///
/// # Errors
///
/// If it cannot be read.
pub fn read(path: &Path) -> io::Result<String> {
    let named = |error| io::Error::other(format!("{}: {error}", path.display()));
    Ok(fs::read_to_string(path)
        .map_err(named)?
        .replace("\r\n", "\n"))
}

/// The recording of a run that is in the book.
///
/// # Errors
///
/// If there is none.
pub fn committed(run: &Run) -> io::Result<Recording> {
    let path = recording_of(run);
    let broken = |error| io::Error::other(format!("{}: {error}", path.display()));
    Recording::from_json(&read(&path)?).map_err(broken)
}

/// Draws all pictures: the runs from the recordings in the book.
///
/// # Errors
///
/// If there is a recording that cannot be read.
pub fn all_figures() -> io::Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for run in runs::ALL {
        figures.push(lanes::figure(run, &committed(run)?));
    }
    figures.extend(diagrams::all());
    Ok(figures)
}

/// Records all runs, draws all pictures and writes what differs. Returns what was written.
///
/// A recording with the same order of events is left as it is, since its times would be others each time.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write() -> io::Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    for run in runs::ALL {
        let known = committed(run).map(|known| order(&known));
        let recording = match &known {
            Ok(known) => run.record_like(known),
            Err(_) => run.record(),
        };
        if known.ok() != Some(order(&recording)) {
            let json = recording.to_json() + "\n";
            put(recording_of(run), &json, &mut written)?;
        }
    }
    for figure in all_figures()? {
        put(picture_of(&figure), &figure.to_html(), &mut written)?;
    }
    Ok(written)
}

fn put(path: PathBuf, text: &str, written: &mut Vec<PathBuf>) -> io::Result<()> {
    if read(&path).is_ok_and(|known| known == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&path, text)?;
    written.push(path);
    Ok(())
}
