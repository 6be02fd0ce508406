//! A reader's own run, recorded with `WHY_PENDING_TRACE=run.json`, as a page to step through.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
};

use probe::Recording;

use crate::{
    beside::{Beside, Kind, Lane},
    figure::script,
    player::Player,
    run::Run,
    text::escaped,
};

/// Of a longer run, the page has the beginning.
const MOST: usize = 1_000;

/// Writes the page beside the recording, and returns its name.
///
/// # Errors
///
/// In one line: what is wrong with the file, or cannot be written.
pub fn show(file: &Path) -> Result<PathBuf, String> {
    let page = file.with_extension("html");
    let write = || -> Result<(), Box<dyn Error>> { Ok(fs::write(&page, html(file)?)?) };
    write().map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(page)
}

/// One file, which needs no network and no other file.
fn html(file: &Path) -> Result<String, Box<dyn Error>> {
    let no_recording = |why: String| format!("this is no recording: {why}");
    let recording = serde_json::from_str(&fs::read_to_string(file)?);
    let mut recording: Recording = recording.map_err(|error| no_recording(error.to_string()))?;
    // Its last line is how to get here.
    let report = match recording.report.split("Step by step: ").next() {
        None | Some("") => String::new(),
        Some(text) => format!("<pre>{}</pre>\n", escaped(text)),
    };
    recording.left_out += recording.events.len().saturating_sub(MOST) as u64;
    recording.events.truncate(MOST);
    let events = &recording.events;
    let is_seen = |task: &probe::Named| events.iter().any(|event| event.task == Some(task.id));
    recording.tasks.retain(is_seen);
    let mut run = Run::new(Beside::default(), recording).map_err(no_recording)?;
    // What there is of queues, nobody has said.
    let threads = run
        .threads
        .iter()
        .map(|thread| (Kind::Thread, thread.to_string()));
    let wakers = [(Kind::Wakers, "the stored wakers".to_owned())];
    for (is, header) in threads.chain(wakers) {
        let lane = Lane::default();
        run.beside.lanes.push(Lane { is, header, ..lane });
    }
    let title = file.file_stem().unwrap_or_default().to_string_lossy();
    let title = escaped(&format!("The run in {title}"));
    let mut beside = Beside::default();
    beside.title.clone_from(&title);
    let figure = Player::new("run", &beside, vec![(String::new(), run)]).to_html();
    let figure = figure.replace(&script("player"), "");
    let style = concat!(
        include_str!("mdbook.css"),
        include_str!("../../../book/theme/course.css"),
        include_str!("../../../book/theme/player.css")
    );
    let script = include_str!("../../../book/src/pictures/player.js");
    let (page, parts) = include_str!("own.html")
        .split_once("{report}")
        .unwrap_or_default();
    let page = page.replace("{title}", &title).replace("{style}", style) + &report + &figure;
    Ok(page + &parts.replace("{script}", script))
}
