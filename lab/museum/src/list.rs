//! The list of all exhibits: for the terminal, for the repository, and for a visitor who mistypes a name.

use std::{fmt::Write, path::Path};

use kit::{files, markdown, pool};

use crate::{
    ALL, Exhibit, page,
    visit::{self, Visit},
};

/// How the files of the museum are written.
pub const HOW: &str = "cargo run -p museum -- --write";

/// By chapter: the name, what is wrong, how it fails.
pub fn list() -> String {
    let mut list = String::new();
    let mut chapter = 0;
    for exhibit in ALL {
        if exhibit.chapter != chapter {
            chapter = exhibit.chapter;
            let _ = writeln!(list, "chapter {chapter:02}");
        }
        let _ = writeln!(list, "  {:<30}{}", exhibit.name, exhibit.title);
        let _ = writeln!(list, "  {:<30}{}", "", exhibit.fails);
    }
    list + "\nOne of them: cargo run -p museum -- NAME\n"
}

/// A slip of the pen has more than 0.9. `nonsense` has 0.59 with the name that is most like it.
const ALIKE: f64 = 0.7;

/// The names that are most like this one, at most three. None, if none is like it.
pub fn nearest(name: &str) -> Vec<&'static str> {
    let name = name.to_lowercase();
    let mut names: Vec<_> = ALL
        .iter()
        .map(|exhibit| (strsim::jaro_winkler(&name, exhibit.name), exhibit.name))
        .filter(|(likeness, _)| *likeness > ALIKE)
        .collect();
    names.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    names.truncate(3);
    names.into_iter().map(|(_, name)| name).collect()
}

/// The text of `LIST.md`. What was seen comes from the files in `seen/`, which a test compares with what the programs
/// print.
pub fn markdown() -> String {
    let rows = ALL.iter().map(|exhibit| {
        let seen = files::read(&exhibit.seen_file()).unwrap_or_default();
        [
            format!("{:02}", exhibit.chapter),
            format!("`{}`: {}", exhibit.name, exhibit.title),
            exhibit.was_in.to_owned(),
            exhibit.breaks.to_string(),
            exhibit.fails.to_string(),
            in_short(&seen),
        ]
    });
    let head = ["chapter", "exhibit", "was in", "breaks", "declared", "seen"];
    "<!-- Written by `cargo run -p museum -- --write`: do not edit. -->\n\n".to_owned()
        + &markdown::table(&head, rows)
}

/// From what the visitor sees: what the broken program had to say, in one line.
fn in_short(page: &str) -> String {
    let quoted = page
        .lines()
        .skip_while(|line| !line.starts_with("  | "))
        .map_while(|line| line.strip_prefix("  | "))
        .take_while(|line| !line.starts_with("  seen") && !line.starts_with("  lock"));
    let mut short = String::new();
    for line in quoted {
        // An indented line goes on with the one before.
        match line.strip_prefix("  ") {
            Some(_) => short += " ",
            None if !short.is_empty() => short += "; ",
            None => {}
        }
        short += line.trim_start();
    }
    short
}

/// Visits all exhibits, as many at a time as there are processors. In the order of [`ALL`].
pub fn visit_all(museum: &Path) -> Vec<(&'static Exhibit, Option<Visit>)> {
    pool::each(pool::cores(), ALL, |exhibit| {
        (*exhibit, Visit::new(exhibit, museum))
    })
}

/// For each visit: the name, what is declared, what was seen.
pub fn table(visits: &[(&'static Exhibit, Option<Visit>)]) -> String {
    let mut table = String::new();
    for (exhibit, visit) in visits {
        let seen = match visit {
            None => visit::NO_MIRI.to_owned(),
            Some(visit) => in_short(&page::page(exhibit, Some(visit))),
        };
        let judged = match visit {
            None => "",
            Some(visit) if visit.as_declared(exhibit) => "as declared; its twin passes",
            Some(visit) if visit::fails_as_declared(exhibit, &visit.broken) => {
                "as declared, BUT its twin does not pass"
            }
            Some(_) => "NOT as declared",
        };
        let _ = writeln!(table, "{:<30}{judged}", exhibit.name);
        let _ = writeln!(table, "  declared  {}", exhibit.fails);
        let _ = writeln!(table, "  seen      {seen}");
    }
    table
}
