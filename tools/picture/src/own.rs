//! A reader's own run, recorded with `PROBE_TRACE=run.json`, as a page to step through.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
};

use probe::Recording;

use crate::{
    player::Player,
    run::{Beside, Kind, Lane, Run},
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
    let report = match recording.report.as_str() {
        "" => String::new(),
        text => format!("<pre>{}</pre>\n", escaped(text)),
    };
    recording.left_out += recording.events.len().saturating_sub(MOST) as u64;
    let Recording {
        events,
        tasks,
        threads,
        ..
    } = &mut recording;
    events.truncate(MOST);
    tasks.retain(|task| events.iter().any(|it| it.task == Some(task.id)));
    threads.retain(|thread| events.iter().any(|it| it.thread == thread.id));
    let mut run = Run::new(Beside::default(), recording).map_err(no_recording)?;
    // What there is of queues, nobody has said.
    let threads = run
        .threads
        .iter()
        .map(|it| (Kind::Thread, (*it).to_owned()));
    let wakers = [(Kind::Wakers, "the wakers that are stored".to_owned())];
    let tasks = run.tasks.iter().map(|it| (Kind::Task, format!("`{it}`")));
    let lane = |(is, header)| Lane {
        is,
        header,
        ..Lane::default()
    };
    run.beside.lanes = threads.chain(wakers).chain(tasks).map(lane).collect();
    let title = file.file_stem().unwrap_or_default().to_string_lossy();
    let title = escaped(&format!("The run in {title}"));
    let beside = Beside {
        title: title.clone(),
        ..Beside::default()
    };
    let figure = Player::new("run", &beside, vec![(String::new(), run)]).to_html();
    let [course, style, script] = [
        include_str!("../../../book/theme/course.css"),
        include_str!("../../../book/theme/player.css"),
        include_str!("../../../book/theme/player.js"),
    ];
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\n\
         <style>\n{COLOURS}{course}{style}</style></head>\n\
         <body><main class=\"content\"><h1>{title}</h1>\n{report}{figure}</main>\n\
         <script>\nif (matchMedia(\"(prefers-color-scheme: dark)\").matches) document.documentElement.className = \"navy\";\n\
         {script}</script></body></html>\n"
    ))
}

/// What a page of the book has from mdBook.
const COLOURS: &str = "\
:root { --bg: #fff; --fg: #000; --links: #20609f; --quote-bg: #f0f5f8; --table-border-color: #ccc; --table-header-bg: #e6ecf0; }
html.navy { --bg: #161923; --fg: #d5d8e5; --links: #5ba7d1; --quote-bg: #262933; --table-border-color: #3a3f55; --table-header-bg: #2b3050; }
body { max-width: 62em; margin: 1em auto; padding: 0 1em; background: var(--bg); color: var(--fg); font-family: sans-serif; }
table { border-collapse: collapse; }
pre { overflow-x: auto; padding: 0.8em 1em; background: var(--quote-bg); }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_damaged_or_foreign_is_refused_in_one_line() {
        let refused = r#"{} => missing field `tasks` at line 1 column 2
            {"tasks":[ => EOF while parsing a list at line 1 column 10
            {"tasks":[],"threads":[],"events":[{"at":1,"thread":2,"what":"park"}]} => an event is of a task or on a thread that is in no list"#;
        let file = std::env::temp_dir().join(format!("run-{}.json", std::process::id()));
        for line in refused.lines() {
            let (text, fault) = line.trim().split_once(" => ").unwrap();
            fs::write(&file, text).unwrap();
            let wanted = format!("{}: this is no recording: {fault}", file.display());
            assert_eq!(show(&file).unwrap_err(), wanted);
        }
        fs::remove_file(&file).unwrap();
    }
}
