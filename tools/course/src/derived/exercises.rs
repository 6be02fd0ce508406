//! The exercises of a chapter with their hints, and their minutes: in the table of each chapter, and in the plans for a class.

use std::{mem, sync::LazyLock};

use regex::{Captures, Regex};

use super::reading;
use crate::{Exercise, Project, Stage, pages::regex};

/// A chapter's table of minutes. Its second page has no exercises.
static MINUTES: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?m)^(\| Minutes to read \| to run \|.*\n\|.*\n\| \d+ \| (\d+) \|)(?: \d+ \|)?$")
});

/// A chapter with the sum of its exercises' minutes. Another page stays as it is.
pub(super) fn minutes(project: &Project, path: &str, page: String) -> String {
    let Some(stage) = project.stages.iter().find(|stage| stage.chapter() == path) else {
        return page;
    };
    let sum: u32 = project
        .exercises_of(stage)
        .map(|exercise| exercise.minutes)
        .sum();
    let table = |found: &Captures<'_>| format!("{} {sum} |", &found[1]);
    MINUTES.replace(&page, table).into_owned()
}

/// Where a chapter's table of exercises is, with their hints.
pub(super) fn file(stage: &Stage) -> String {
    format!("book/src/exercises/{}.md", stage.number())
}

/// The table, and below it the three steps of each hint, folded one inside the other. It is Markdown, because a translator's
/// catalogue finds no text in HTML.
pub(super) fn table(project: &Project, stage: &Stage) -> String {
    let (mut rows, mut hints) = (String::new(), String::new());
    for exercise in project.exercises_of(stage) {
        let Exercise {
            name,
            kind,
            minutes,
            ..
        } = exercise;
        let title = markdown(&exercise.title);
        rows += &format!("| `{name}` | {title} | {kind} | {minutes} |\n");
        let short = exercise.short();
        let steps = [
            (
                format!("Hint for `{name}`, step 1: the direction"),
                &exercise.hint,
            ),
            (format!("`{short}`, step 2: the place"), &exercise.place),
            (
                format!("`{short}`, step 3: the shape of the answer"),
                &exercise.shape,
            ),
        ];
        for (summary, text) in &steps {
            let text = markdown(text);
            hints += &format!("<details><summary>\n\n{summary}\n\n</summary>\n\n{text}\n\n");
        }
        hints += &"</details>".repeat(steps.len());
        hints += "\n\n";
    }
    format!(
        "| exercise | title | kind | minutes |\n|---|---|---|--:|\n{rows}\n\
         Each exercise has a hint in three steps. After each step, go back to the code, and open the next one only if you are still stuck.\n\n\
         {hints}"
    )
}

/// A text has no marks but code between backticks.
fn markdown(text: &str) -> String {
    let mut parts = Vec::new();
    for (number, part) in text.trim().split('`').enumerate() {
        parts.push(match number % 2 {
            0 => part
                .replace('<', "&lt;")
                .replace('*', r"\*")
                .replace('_', r"\_"),
            _ => part.to_owned(),
        });
    }
    parts.join("`")
}

/// What a row of a plan may name, and its minutes.
fn parts(project: &Project) -> Vec<(String, u32)> {
    let mut parts = Vec::new();
    for exercise in &project.exercises {
        parts.push((format!("`{}`", exercise.name), exercise.minutes));
    }
    for stage in &project.stages {
        let exercises = project.exercises_of(stage);
        let minutes = exercises.map(|exercise| exercise.minutes).sum();
        parts.push((format!("exercises {}", stage.number()), minutes));
    }
    for (path, page) in project.with("book/src/", ".md") {
        if !page.contains("\n| Minutes to read |") {
            continue;
        }
        // A chapter by its number, another page by its title.
        let chapter = project.stages.iter().find(|stage| stage.chapter() == path);
        let title = page.lines().next().unwrap_or_default();
        let title = format!("*{}*", title.trim_start_matches("# "));
        let name = chapter.map_or(&*title, |stage| stage.number());
        let minutes = MINUTES.captures(page);
        let run = minutes.map_or(0, |minutes| minutes[2].parse().unwrap_or_default());
        let read = reading::minutes(project, path) as u32;
        // What is shown and asked is a third of what there is to read. The rest is for learners to read.
        parts.push((format!("show {name}"), read / 3));
        parts.push((format!("run {name}"), run));
        parts.push((format!("read {name}"), read));
    }
    parts
}

/// A row of a table whose last column is a number of minutes.
static ROW: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^(\|.*\|) (\d+) \|$"));

/// The page of the plans for a class. A row takes the minutes of what it names, or keeps those that are written there if it names
/// nothing. A row `total` takes the sum of those above it.
pub(super) fn plans(project: &Project, page: &str) -> String {
    let (parts, mut total) = (parts(project), 0);
    let row = |row: &Captures<'_>| {
        if row[1].starts_with("| total |") {
            return format!("{} {} |", &row[1], mem::take(&mut total));
        }
        let named = parts.iter().filter(|(name, _)| row[1].contains(name));
        let minutes = match named.map(|(_, minutes)| minutes).sum() {
            0 => row[2].parse().unwrap_or_default(),
            named => named,
        };
        total += minutes;
        format!("{} {minutes} |", &row[1])
    };
    ROW.replace_all(page, row).into_owned()
}
