//! What follows from the stages' metadata and the list of exercises: written, not checked.

mod exercises;
mod links;
mod projected;
mod whole;

use kit::markdown;

use crate::Project;

/// The command that writes it.
pub const WRITE: &str = "cargo run -p course -- --write";

const ALIASES: &str = ".cargo/config.toml";
const BOOK: &str = "book/book.toml";
const SUMMARY: &str = "book/src/SUMMARY.md";
const INTRODUCTION: &str = "book/src/introduction.md";
const PLANS: &str = "book/src/course.md";
const SAID: &str = "lab/probe/tests/not-woken.txt";

/// What is out of date, or with `write` what cannot be written.
pub fn stale(project: &Project, write: bool) -> Vec<String> {
    let text = |path: &str| project.text(path).unwrap_or_default();
    let mut files = vec![
        (
            "README.md".to_owned(),
            between("stages", text("README.md"), &readme(project))
                .and_then(|readme| between("address", &readme, &address(project)))
                .and_then(|readme| between("hours", &readme, &hours(project)))
                .and_then(|readme| between("watchdog", &readme, &said(project))),
        ),
        (
            ALIASES.to_owned(),
            between("stages", text(ALIASES), &aliases(project)),
        ),
        (
            BOOK.to_owned(),
            between("stages", text(BOOK), &watched(project)),
        ),
        (
            SUMMARY.to_owned(),
            between("stages", text(SUMMARY), &chapters(project)),
        ),
        (
            INTRODUCTION.to_owned(),
            between("stages", text(INTRODUCTION), &map(project))
                .and_then(|page| between("hours", &page, &hours(project))),
        ),
        (PLANS.to_owned(), exercises::plans(project, text(PLANS))),
        (projected::PAGE.to_owned(), Ok(projected::page(project))),
    ];
    for stage in &project.stages {
        if let Some(page) = project.text(&stage.chapter()) {
            files.push((
                stage.chapter(),
                Ok(exercises::minutes(project, stage, page)),
            ));
            files.push((whole::path(stage), Ok(whole::page(project, stage))));
        }
    }
    for (path, text) in project.with("book/src/", ".md") {
        if !files.iter().any(|it| it.0 == path) {
            files.push((path.to_owned(), Ok(text.to_owned())));
        }
    }
    let entries = links::entries(project);
    let stale = files.into_iter().filter_map(|(path, text)| match text {
        Ok(text) if is_page(&path) => {
            let text = links::bars(project, &path, &links::terms(&entries, &text));
            project.written(&path, &text, write, WRITE)
        }
        Ok(text) => project.written(&path, &text, write, WRITE),
        Err(why) => Some(format!("{path}:{why}")),
    });
    stale.collect()
}

/// Whether this is a page that a reader opens, and not the glossary itself.
fn is_page(path: &str) -> bool {
    let file = path.strip_prefix("book/src/").unwrap_or_default();
    file.ends_with(".md") && !file.contains('/') && path != SUMMARY && path != links::GLOSSARY
}

/// Puts a text between the lines with `BEGIN stages` and `END stages`, or with another name.
fn between(name: &str, file: &str, text: &str) -> Result<String, String> {
    let lines: Vec<&str> = file.split_inclusive('\n').collect();
    let place = |mark: &str| {
        let mark = format!("{mark} {name}");
        lines.iter().position(|line| line.contains(&mark))
    };
    match (place("BEGIN"), place("END")) {
        (Some(begin), Some(end)) if begin < end => {
            let (before, after) = (lines[..=begin].concat(), lines[end..].concat());
            Ok(before + text + &after)
        }
        _ => Err(format!(
            " there is no line `BEGIN {name}` with a line `END {name}` after it: put them back"
        )),
    }
}

fn readme(project: &Project) -> String {
    let stages = project.stages.iter();
    let rows = stages.filter_map(|stage| {
        let (name, number) = (&stage.name, stage.number());
        let metadata = stage.metadata.as_ref().ok()?;
        Some([
            format!("[{number}]({name}/src/lib.rs)"),
            metadata.idea.clone(),
            format!("`cargo run -p {name}`"),
            metadata.shows.clone(),
        ])
    });
    let table = markdown::table(&["stage", "the idea", "run it", "what you see"], rows);
    format!("\n{table}\n")
}

/// How to get the project, if book.toml knows the address of its repository.
fn address(project: &Project) -> String {
    let book: toml::Table = project
        .text(BOOK)
        .unwrap_or_default()
        .parse()
        .unwrap_or_default();
    let html = book.get("output").and_then(|it| it.get("html"));
    let address = html.and_then(|it| it.get("git-repository-url")?.as_str());
    let address = address.map_or("", |it| it.trim_end_matches('/'));
    match address.rsplit('/').next() {
        Some(folder) if !folder.is_empty() => {
            format!("\n```sh\ngit clone {address}\ncd {folder}\n```\n\n")
        }
        _ => "\n".to_owned(),
    }
}

/// What the watchdog says to one mistake, from the file with which a test of the probe compares it.
fn said(project: &Project) -> String {
    let said = project.text(SAID).unwrap_or_default();
    format!("\n```text\n{said}```\n\n")
}

fn map(project: &Project) -> String {
    let stages = project.stages.iter();
    let rows = stages.filter_map(|stage| {
        let metadata = stage.metadata.as_ref().ok()?;
        Some([
            format!("[{}]({})", stage.number(), stage.chapter_file()),
            metadata.idea.clone(),
            metadata.lacks.clone(),
        ])
    });
    let table = markdown::table(&["stage", "the idea", "what it cannot do yet"], rows);
    format!("\n{table}\n")
}

fn aliases(project: &Project) -> String {
    let stages = project.stages.iter().map(|stage| {
        let (name, number) = (&stage.name, stage.number());
        format!("step{number} = \"run --quiet -p {name} --\"\n")
    });
    stages.collect()
}

fn watched(project: &Project) -> String {
    let stages = project.stages.iter();
    stages
        .map(|stage| format!("    \"../{}\",\n", stage.name))
        .collect()
}

/// Each stage's chapter, and below it the other pages that begin with its number.
fn chapters(project: &Project) -> String {
    let mut list = String::from("\n");
    for stage in &project.stages {
        let Ok(metadata) = &stage.metadata else {
            continue;
        };
        list += &format!("- [{}]({})\n", metadata.title, stage.chapter_file());
        let start = format!("book/src/{}-", stage.number());
        for (path, page) in project
            .with(&start, ".md")
            .filter(|it| it.0 != stage.chapter())
        {
            let title = page.lines().next().unwrap_or_default();
            let (title, file) = (title.trim_start_matches("# "), &path["book/src/".len()..]);
            list += &format!("  - [{title}]({file})\n");
        }
    }
    list + "\n"
}

/// How long the course takes, by the minutes of its chapters.
fn hours(project: &Project) -> String {
    let (mut read, mut run) = (0, 0);
    for (_, page) in project.with("book/src/", ".md") {
        if let Some(line) = exercises::MINUTES.captures(page) {
            let [a, b] = [2, 3].map(|it| line[it].parse::<u32>().unwrap_or_default());
            (read, run) = (read + a, run + b);
        }
    }
    let exercises = project.exercises.iter().map(|it| it.minutes).sum();
    let [read, run, exercises] = [read, run, exercises].map(|it: u32| (it + 30) / 60);
    let all = read + run + exercises;
    format!(
        "\nBy the minutes that the chapters state, the course takes {all} hours: {read} to read, {run} to run and {exercises} for the exercises.\n\n"
    )
}
