//! The minutes of the exercises: in the line of each chapter, and in the plans for a class.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::reading;
use crate::{Exercise, Project};

/// A chapter's line of minutes. Its second page has no exercises.
static MINUTES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^(Minutes: \d+ to read, (\d+) to run)(?:, \d+ for the exercises)?\.$")
        .expect("it is a regex")
});

fn sum<'a>(exercises: impl Iterator<Item = &'a Exercise>) -> u32 {
    exercises.map(|it| it.minutes).sum()
}

/// A chapter with the sum of its exercises' minutes. Another page stays as it is.
pub(super) fn minutes(project: &Project, path: &str, page: String) -> String {
    let Some(stage) = project.stages.iter().find(|it| it.chapter() == path) else {
        return page;
    };
    let sum = sum(project.exercises_of(stage));
    let line = |found: &Captures<'_>| format!("{}, {sum} for the exercises.", &found[1]);
    MINUTES.replace(&page, line).into_owned()
}

/// A row of a table whose last column is a number of minutes.
static ROW: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(\|.*\|) (\d+) \|\s*$").expect("it is a regex"));

/// The page of the plans for a class. A row takes the minutes of the parts of chapters and of the exercises that it names, or
/// keeps those that are written there if it names none. A row `total` takes the sum of those above it.
pub(super) fn plans(project: &Project, page: &str) -> Result<String, String> {
    let (mut filled, mut total) = (String::new(), 0);
    for (number, line) in (1..).zip(page.split_inclusive('\n')) {
        let Some(row) = ROW.captures(line) else {
            filled += line;
            continue;
        };
        let is_total = row[1].starts_with("| total |");
        let minutes = match named(project, &row[1]).map_err(|why| format!("{number}: {why}"))? {
            Some(minutes) => minutes,
            None if is_total => total,
            None => row[2].parse().unwrap_or_default(),
        };
        total = if is_total { 0 } else { total + minutes };
        filled += &format!("{} {minutes} |\n", &row[1]);
    }
    Ok(filled)
}

static PART: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(read|show|run|exercises) (\d\d)\b|`(s\d\d[a-z]_\w+)`").expect("it is a regex")
});

/// The minutes of the parts of chapters and of the exercises that a row names.
fn named(project: &Project, row: &str) -> Result<Option<u32>, String> {
    let minutes = |part: &Captures<'_>| {
        if let Some(name) = part.get(3) {
            let mut exercises = project.exercises.iter();
            return Some(exercises.find(|it| it.name == name.as_str())?.minutes);
        }
        let stage = project.stages.iter().find(|it| it.number() == &part[2])?;
        let minutes = MINUTES.captures(project.text(&stage.chapter())?)?;
        let read = reading::minutes(project, &stage.chapter()) as u32;
        match &part[1] {
            "read" => Some(read),
            // What is shown and asked. The rest is for learners to read.
            "show" => Some(read / 3),
            "run" => minutes[2].parse().ok(),
            _ => Some(sum(project.exercises_of(stage))),
        }
    };
    let parts = PART.captures_iter(row).map(|part| {
        minutes(&part).ok_or_else(|| {
            format!(
                "there is no `{}`: name one that is there",
                part[0].trim_matches('`')
            )
        })
    });
    let parts = parts.collect::<Result<Vec<u32>, _>>()?;
    Ok((!parts.is_empty()).then(|| parts.iter().sum()))
}
