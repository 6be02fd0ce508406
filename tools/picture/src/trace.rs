//! A reader's own run, recorded with `PROBE_TRACE=run.json`, as a page to step through.

use std::{
    error::Error,
    fmt::Display,
    fs,
    path::{Path, PathBuf},
};

use probe::{Recording, Wording};

use crate::{
    player::{Beside, Player},
    run::{Head, Kind, Lane, Run},
    text::escaped,
};

/// Of a longer run, the page has the beginning.
const MOST: usize = 1_000;

/// Writes the page beside the trace, and returns its name.
///
/// # Errors
///
/// In one line: what is wrong with the file, or cannot be written.
pub(crate) fn show(file: &Path) -> Result<PathBuf, String> {
    write(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn write(file: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let no_recording = |why: &dyn Display| format!("this is no recording: {why}");
    let mut recording: Recording =
        serde_json::from_str(&fs::read_to_string(file)?).map_err(|error| no_recording(&error))?;
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
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let run = run(recording, &name).map_err(|fault| no_recording(&fault))?;
    let page = file.with_extension("html");
    fs::write(&page, html(run))?;
    Ok(page)
}

/// With a lane for each thread. What there is of queues, nobody has said.
fn run(recording: Recording, name: &str) -> Result<Run, String> {
    let head = Head {
        name: name.to_owned(),
        title: format!("The run in {name}"),
        caption: String::new(),
        wording: Wording::Polls,
        lanes: Vec::new(),
    };
    let mut run = Run::new(head, recording)?;
    let threads = run.threads.iter().map(|it| (Kind::Thread, it.clone()));
    let wakers = [(Kind::Wakers, "the wakers that are stored".to_owned())];
    let tasks = run.tasks.iter().map(|it| (Kind::Task, format!("`{it}`")));
    let lane = |(kind, header)| Lane {
        kind,
        header,
        ..Lane::default()
    };
    run.head.lanes = threads.chain(wakers).chain(tasks).map(lane).collect();
    Ok(run)
}

/// One file, which needs no network and no other file.
fn html(run: Run) -> String {
    let title = escaped(&run.head.title);
    let runs = vec![(String::new(), run)];
    let figure = Player::new(runs, "run".to_owned(), Beside::default()).to_html();
    let [course, style, script] = [
        include_str!("../../../book/theme/course.css"),
        include_str!("../../../book/theme/player.css"),
        include_str!("../../../book/theme/player.js"),
    ];
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\n\
         <style>\n{COLOURS}{course}{style}</style></head>\n<body><main class=\"content\"><h1>{title}</h1>\n{figure}</main>\n\
         <script>\nif (matchMedia(\"(prefers-color-scheme: dark)\").matches) document.documentElement.className = \"navy\";\n\
         {script}</script></body></html>\n"
    )
}

/// What a page of the book has from mdBook.
const COLOURS: &str = "\
:root { --bg: #fff; --fg: #000; --links: #20609f; --quote-bg: #f0f5f8; --table-border-color: #ccc; --table-header-bg: #e6ecf0; }
html.navy { --bg: #161923; --fg: #d5d8e5; --links: #5ba7d1; --quote-bg: #262933; --table-border-color: #3a3f55; --table-header-bg: #2b3050; }
body { max-width: 62em; margin: 1em auto; padding: 0 1em; background: var(--bg); color: var(--fg); font-family: sans-serif; }
table { border-collapse: collapse; }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_damaged_or_foreign_is_refused_in_one_line() {
        let refused = r#"{} => missing field `tasks` at line 1 column 2
            {"tasks":[ => EOF while parsing a list at line 1 column 10
            {"at":1,"thread":2,"what":"park"} => event 1 is on a thread that is not in the list
            {"at":1,"thread":1,"task":2,"what":"ready"} => event 1 is of a task that is not in the list
            {"at":1,"thread":1,"what":"ready"} => event 1 has no task, or one too many
            {"at":2,"thread":1,"what":"park"},{"at":1,"thread":1,"what":"unpark"} => event 2 is earlier than the one before it"#;
        let lists = r#""tasks":[{"id":1,"name":"a"}],"threads":[{"id":1,"name":"main"}]"#;
        let file = std::env::temp_dir().join(format!("trace-{}.json", std::process::id()));
        for line in refused.lines() {
            let (text, fault) = line.trim().split_once(" => ").unwrap();
            let text = match text.starts_with("{\"at") {
                true => format!("{{{lists},\"events\":[{text}]}}"),
                false => text.to_owned(),
            };
            fs::write(&file, text).unwrap();
            let wanted = format!("{}: this is no recording: {fault}", file.display());
            assert_eq!(show(&file).unwrap_err(), wanted);
        }
        fs::remove_file(&file).unwrap();
    }
}
