//! What follows from the stages' metadata and the catalogue of exercises: written, not checked.

mod exercises;

use std::{fs, sync::LazyLock};

use regex::{Captures, Regex};

use crate::{Project, Stage};

/// The command that writes it.
pub const WRITE: &str = "cargo run -p course -- --write";

const PLANS: &str = "book/src/course.md";
const RUSTLINGS: &str = "exercises/info.toml";

/// The file with the table of a stage's exercises and their hints.
pub fn table(stage: &Stage) -> String {
    format!("exercises/chapters/{}.md", stage.number())
}

/// What is out of date, or with `write` what cannot be written.
pub fn stale(project: &Project, write: bool) -> Vec<String> {
    let text = |path: &str| project.text(path).unwrap_or_default();
    let mut files = vec![
        (PLANS.to_owned(), plans(project, text(PLANS))),
        (
            RUSTLINGS.to_owned(),
            between(text(RUSTLINGS), &exercises::list(project)),
        ),
    ];
    for (path, list) in stages(project) {
        files.push((path.to_owned(), between(text(path), &format!("\n{list}\n"))));
    }
    for stage in &project.stages {
        if project.exercises_of(stage).next().is_some() {
            files.push((table(stage), Ok(exercises::table(project, stage))));
        }
        if let Some(page) = project.text(&stage.chapter()) {
            files.push((stage.chapter(), Ok(minutes(project, stage, page))));
        }
    }
    let stale = files.into_iter().filter_map(|(path, text)| match text {
        Ok(text) if project.text(&path) == Some(&text) => None,
        Ok(text) if write => {
            let written = fs::write(kit::files::root().join(&path), text);
            written.err().map(|error| format!("{path}: {error}"))
        }
        Ok(_) => Some(format!("{path}: stale: run `{WRITE}`")),
        Err(why) => Some(format!("{path}:{why}")),
    });
    stale.collect()
}

/// Puts a text between the lines with `BEGIN stages` and `END stages`.
fn between(file: &str, text: &str) -> Result<String, String> {
    let begin = file.find("BEGIN stages");
    let begin = begin.and_then(|it| Some(it + file[it..].find('\n')? + 1));
    let end = file.find("END stages");
    let end = end.and_then(|it| Some(file[..it].rfind('\n')? + 1));
    match (begin, end) {
        (Some(begin), Some(end)) if begin <= end => {
            Ok([&file[..begin], text, &file[end..]].concat())
        }
        _ => Err(" put back the lines `BEGIN stages` and `END stages`".to_owned()),
    }
}

/// README's table, the map in the book's introduction, and the chapters with the other pages that begin with their number.
fn stages(project: &Project) -> [(&str, String); 3] {
    let mut readme = "| stage | the idea | run it |\n|---|---|---|\n".to_owned();
    let mut map = "| stage | the idea | what it cannot do yet |\n|---|---|---|\n".to_owned();
    let mut chapters = String::new();
    for stage in &project.stages {
        let Ok(it) = &stage.metadata else { continue };
        let (name, number, chapter) = (&stage.name, stage.number(), stage.chapter());
        let file = &chapter["book/src/".len()..];
        readme += &format!(
            "| [{number}]({name}/src/lib.rs) | {} | `cargo run -p {name}` |\n",
            it.idea
        );
        map += &format!("| [{number}]({file}) | {} | {} |\n", it.idea, it.lacks);
        chapters += &format!("- [{}]({file})\n", it.title);
        let pages = format!("book/src/{number}-");
        let others = project.with(&pages, ".md").filter(|it| it.0 != chapter);
        for (path, page) in others {
            let title = page.lines().next().unwrap_or_default();
            let (title, file) = (title.trim_start_matches("# "), &path["book/src/".len()..]);
            chapters += &format!("  - [{title}]({file})\n");
        }
    }
    [
        ("README.md", readme),
        ("book/src/introduction.md", map),
        ("book/src/SUMMARY.md", chapters),
    ]
}

/// A chapter's second page has no exercises.
static MINUTES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^(Minutes: (\d+) to read, (\d+) to run)(?:, \d+ for the exercises)?\.$")
        .expect("it is a regex")
});

/// The chapter with the sum of its exercises' minutes.
fn minutes(project: &Project, stage: &Stage, page: &str) -> String {
    let sum: u32 = project.exercises_of(stage).map(|it| it.head.minutes).sum();
    let line = |found: &Captures<'_>| format!("{}, {sum} for the exercises.", &found[1]);
    MINUTES.replace(page, line).into_owned()
}

/// The page of the plans for a class, with the minutes of each table whose last column is `minutes`. A row takes those of the
/// parts of chapters and of the exercises that it names, or what is written there if it names none; `total` is the sum.
fn plans(project: &Project, page: &str) -> Result<String, String> {
    let (mut filled, mut sum) = (String::new(), None);
    for (number, line) in (1..).zip(page.split_inclusive('\n')) {
        let cells: Vec<&str> = line
            .trim()
            .trim_matches('|')
            .split('|')
            .map(str::trim)
            .collect();
        let (first, last) = (cells[0], cells[cells.len() - 1]);
        let here = |why: String| format!("{number}: {why}");
        if !line.starts_with('|') {
            sum = None;
        } else if last == "minutes" {
            sum = Some(0);
        } else if let Some(sum) = sum.as_mut().filter(|_| !first.starts_with("--")) {
            let minutes = match named(project, line).map_err(here)? {
                _ if first == "total" => *sum,
                Some(minutes) => minutes,
                None => last
                    .parse()
                    .map_err(|_| here(format!("`{last}` is no number of minutes: give one")))?,
            };
            *sum += minutes;
            let row = line.trim_end().trim_end_matches('|');
            filled += &format!("{} {minutes} |\n", row.trim_end_matches(|c| c != '|'));
            continue;
        }
        filled += line;
    }
    Ok(filled)
}

static PART: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(read|show|run|exercises) (\d\d)\b|`(s\d\d[a-z]_\w+)`").expect("it is a regex")
});

/// The minutes of the parts of chapters and of the exercises that a line names.
fn named(project: &Project, line: &str) -> Result<Option<u32>, String> {
    let minutes = |part: &Captures<'_>| {
        if let Some(name) = part.get(3) {
            let mut exercises = project.exercises.iter();
            return Some(exercises.find(|it| it.name == name.as_str())?.head.minutes);
        }
        let stage = project.stages.iter().find(|it| it.number() == &part[2])?;
        let minutes = MINUTES.captures(project.text(&stage.chapter())?)?;
        match &part[1] {
            "read" => minutes[2].parse().ok(),
            // What is shown and asked. The rest is for learners to read.
            "show" => minutes[2].parse().ok().map(|read: u32| read / 2),
            "run" => minutes[3].parse().ok(),
            _ => Some(project.exercises_of(stage).map(|it| it.head.minutes).sum()),
        }
    };
    let mut sum = None;
    for part in PART.captures_iter(line) {
        let minutes = minutes(&part)
            .ok_or_else(|| format!("there is no `{}`: name one that is there", &part[0]))?;
        sum = Some(sum.unwrap_or(0) + minutes);
    }
    Ok(sum)
}
