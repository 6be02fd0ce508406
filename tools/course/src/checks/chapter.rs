//! A chapter has its ten parts, its minutes and its length, and its exercises are those of the catalogue.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use crate::{
    Book, Complaint, Page,
    catalogue::{self, Exercise},
    include::{directives, included},
    page::Table,
    report::words,
};

use super::on;

const PARTS: [&str; 10] = [
    "Before and after",
    "Predict",
    "Build",
    "Run",
    "See",
    "Bugs in the wild",
    "What it costs",
    "Exercises and questions",
    "In the real world",
    "From the documents",
];

static MINUTES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^Minutes: (\d+) to read, (\d+) to run, (\d+) for the exercises\.$")
        .expect("it is a regex")
});

/// The minutes of a chapter, and the line that says so.
pub(super) struct Minutes {
    line: usize,
    pub(super) read: u32,
    pub(super) run: u32,
    pub(super) exercises: u32,
}

pub(super) fn minutes(page: &Page) -> Option<Minutes> {
    let mut lines = (1..).zip(page.text.lines());
    lines.find_map(|(line, text)| {
        let found = MINUTES.captures(text)?;
        let number = |it: usize| found[it].parse().ok();
        Some(Minutes {
            line,
            read: number(1)?,
            run: number(2)?,
            exercises: number(3)?,
        })
    })
}

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let catalogue = catalogue::exercises(book);
    let mut found = Vec::new();
    for (number, page) in book.chapters() {
        found.extend(parts(page));
        found.extend(length(page));
        let minutes = minutes(page);
        if minutes.is_none() {
            let says = "no such line: `Minutes: 25 to read, 15 to run, 50 for the exercises.`";
            found.push(on(page, 1, says));
        }
        let stage = |it: &&Exercise| it.stage == number;
        let exercises: Option<Vec<&Exercise>> = catalogue
            .as_ref()
            .map(|all| all.iter().filter(stage).collect());
        if let Some(exercises) = exercises {
            found.extend(minutes.and_then(|it| sum(page, &it, &exercises)));
            found.extend(table(book, page, &exercises));
        }
    }
    found
}

fn parts(page: &Page) -> Option<Complaint> {
    let parts: Vec<(String, usize)> = page
        .headings()
        .filter_map(|(level, text, line)| (level == 2).then_some((text, line)))
        .collect();
    for (place, wanted) in PARTS.iter().enumerate() {
        let (text, line) = parts
            .get(place)
            .map_or(("nothing", 1), |(text, line)| (text.as_str(), *line));
        if text != *wanted {
            let says = format!(
                "part {} of a chapter is `## {wanted}`, and here is `{text}`: see the ten parts",
                place + 1
            );
            return Some(on(page, line, says));
        }
    }
    let (text, line) = parts.get(PARTS.len())?;
    Some(on(
        page,
        *line,
        format!("a chapter has ten parts, and `## {text}` is one more: make it `###`"),
    ))
}

fn length(page: &Page) -> Option<Complaint> {
    let words = words(page);
    (!(700..=2_500).contains(&words)).then(|| {
        on(
            page,
            1,
            format!("{words} words: a chapter has 700 to 2,500"),
        )
    })
}

fn sum(page: &Page, minutes: &Minutes, exercises: &[&Exercise]) -> Option<Complaint> {
    let sum: u32 = exercises.iter().map(|it| it.minutes).sum();
    (sum != minutes.exercises).then(|| {
        let says = format!(
            "the exercises in {} take {sum} minutes: say {sum}",
            catalogue::FILE
        );
        on(page, minutes.line, says)
    })
}

fn table(book: &Book, page: &Page, exercises: &[&Exercise]) -> Vec<Complaint> {
    let Some(section) = page.section(3, "Exercises") else {
        return vec![on(
            page,
            1,
            "`## Exercises and questions` needs `### Exercises` and `### Questions`",
        )];
    };
    let is_here = |it: &&Table| it.lines.first().is_some_and(|line| section.contains(line));
    let here = page.tables.iter().find(is_here).cloned();
    let Some(table) = here.or_else(|| included_table(book, page, &section)) else {
        return vec![on(
            page,
            section.start,
            "no table of the exercises below: add it, names first, in backticks",
        )];
    };
    let (head, rows) = table.rows.split_first().expect("a table has a head");
    let names: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    let wanted: Vec<&str> = exercises.iter().map(|it| it.name.as_str()).collect();
    if names != wanted {
        let says = format!(
            "the exercises of {} are {}: list these",
            catalogue::FILE,
            wanted.join(", ")
        );
        return vec![on(page, table.lines[0], says)];
    }
    let mut found = Vec::new();
    for ((row, line), exercise) in rows.iter().zip(&table.lines[1..]).zip(exercises) {
        for (name, cell) in head.iter().zip(row) {
            let says = exercise
                .column(&name.to_lowercase())
                .filter(|it| it != cell);
            let says = says.map(|it| {
                format!(
                    "{name} of `{}` is `{it}` in {}: say that",
                    exercise.name,
                    catalogue::FILE
                )
            });
            found.extend(says.map(|says| on(page, *line, says)));
        }
    }
    found
}

/// The table of a file that is included in these lines; a complaint about it is about the include.
fn included_table(book: &Book, page: &Page, lines: &Range<usize>) -> Option<Table> {
    let all = directives(&page.text);
    let mut here = all
        .iter()
        .filter(|it| lines.contains(&it.line) && it.file.ends_with(".md"));
    here.find_map(|it| {
        let text = included(&book.src(), it)?;
        let mut table = Page::new(&it.file, text, false).tables.into_iter().next()?;
        table.lines.fill(it.line);
        Some(table)
    })
}
