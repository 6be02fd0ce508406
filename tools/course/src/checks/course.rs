//! Plans for a class add up, from the minutes of the chapters.

use std::sync::LazyLock;

use regex::Regex;

use crate::{
    Book, Complaint, Page,
    catalogue::{self, Exercise},
    page::Table,
};

use super::{chapter, on};

const PAGE: &str = "course.md";

static PART: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(read|run|exercises) (\d\d)\b|\b(s\d\d[a-z]_\w+)").expect("it is a regex")
});

static LIMIT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(\d+) minutes").expect("it is a regex"));

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let Some(page) = book.page(PAGE) else {
        return Vec::new();
    };
    let exercises = catalogue::exercises(book).unwrap_or_default();
    let mut found = Vec::new();
    for table in &page.tables {
        let column = table.rows[0]
            .iter()
            .position(|it| it.eq_ignore_ascii_case("minutes"));
        if let Some(column) = column {
            found.extend(plan(book, page, table, column, &exercises));
        }
    }
    found
}

fn plan(
    book: &Book,
    page: &Page,
    table: &Table,
    column: usize,
    exercises: &[Exercise],
) -> Vec<Complaint> {
    let (mut found, mut sum) = (Vec::new(), 0);
    let rows = table.rows.iter().zip(&table.lines).skip(1);
    for (row, line) in rows {
        let says = match row[column].parse::<u32>() {
            Err(_) => Some(format!(
                "`{}` is no number of minutes: give one",
                row[column]
            )),
            Ok(total) if row[0].eq_ignore_ascii_case("total") => (total != sum).then(|| {
                format!(
                    "the rows above add up to {sum} minutes, not {total}: mend one or the other"
                )
            }),
            Ok(minutes) => {
                sum += minutes;
                let text = row.join(" ");
                match parts(book, &text, exercises) {
                    Ok(Some(real)) if real != minutes => Some(format!(
                        "these parts take {real} minutes, not {minutes}: say that"
                    )),
                    Ok(_) => None,
                    Err(says) => Some(says),
                }
            }
        };
        found.extend(says.map(|says| on(page, *line, says)));
    }
    let last = table.rows.last().expect("a table has a head");
    if !last[0].eq_ignore_ascii_case("total") {
        let line = *table.lines.last().expect("it has a line");
        found.push(on(page, line, "a plan ends with a row `total`: add it"));
    }
    let before = page
        .headings()
        .filter(|(_, _, line)| *line < table.lines[0]);
    let heading = before.last();
    if let Some((_, text, line)) = heading {
        let limit = LIMIT
            .captures(&text)
            .and_then(|it| it[1].parse::<u32>().ok());
        if limit.is_some_and(|limit| limit != sum) {
            found.push(on(
                page,
                line,
                format!("the plan below takes {sum} minutes: say that, or mend the plan"),
            ));
        }
    }
    found
}

/// The minutes of the parts that a row names; `None` if it names none.
fn parts(book: &Book, text: &str, exercises: &[Exercise]) -> Result<Option<u32>, String> {
    let mut sum = None;
    for part in PART.captures_iter(text) {
        let minutes = match (part.get(1), part.get(2), part.get(3)) {
            (Some(what), Some(number), _) => {
                let number: usize = number.as_str().parse().unwrap_or(0);
                let (_, page) = book.chapters().find(|it| it.0 == number).ok_or_else(|| {
                    format!("there is no chapter {number:02}: name one that is there")
                })?;
                let minutes = chapter::minutes(page).ok_or_else(|| {
                    format!("chapter {number:02} has no line of minutes: add it there")
                })?;
                match what.as_str().to_lowercase().as_str() {
                    "read" => minutes.read,
                    "run" => minutes.run,
                    _ => minutes.exercises,
                }
            }
            (_, _, name) => {
                let name = name.map_or("", |it| it.as_str());
                let exercise = exercises.iter().find(|it| it.name == name);
                exercise
                    .ok_or_else(|| {
                        format!(
                            "{} has no `{name}`: name one that is there",
                            catalogue::FILE
                        )
                    })?
                    .minutes
            }
        };
        sum = Some(sum.unwrap_or(0) + minutes);
    }
    Ok(sum)
}
