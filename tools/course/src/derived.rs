//! What follows from the stages' metadata, the catalogue of exercises and the matrix: written, not checked.

use std::{collections::BTreeMap, sync::LazyLock};

use kit::{markdown, written};
use regex::{Captures, Regex};

use crate::{Project, Stage};

/// The command that writes it.
pub const WRITE: &str = "cargo run -p course -- --write";

/// Where the matrix is, from which the chapters show some rows.
const MATRIX: &str = "tools/matrix/matrix.md";
const SUMMARY: &str = "book/src/SUMMARY.md";
const PLANS: &str = "book/src/course.md";

/// The file with the table of a stage's exercises.
pub fn table(stage: &Stage) -> String {
    format!("exercises/class/chapter-{}.md", stage.number())
}

/// What is out of date, or with `write` what cannot be written.
pub fn stale(project: &Project, write: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut check = |path: &str, text: Result<String, String>| {
        let text =
            text.and_then(|text| written::check(&project.root.join(path), &text, write, WRITE));
        found.extend(text.err().map(|why| match why.contains(path) {
            true => why,
            false => format!("{path}: {why}"),
        }));
    };
    for (path, text) in [
        ("README.md", readme(project)),
        (".cargo/config.toml", aliases(project)),
        ("book/book.toml", watched(project)),
        (SUMMARY, chapters(project)),
    ] {
        let there = project.text(path).unwrap_or_default();
        check(path, between(there, &text));
    }
    for stage in project
        .stages
        .iter()
        .filter(|it| project.exercises_of(it).next().is_some())
    {
        check(&table(stage), Ok(exercises(project, stage)));
    }
    for (path, page) in project
        .with("book/src/", ".md")
        .filter(|it| it.0 != SUMMARY)
    {
        let page = page.to_owned();
        let page = rows(
            page,
            &mut Cutting::new(project.text(MATRIX).unwrap_or_default()),
        );
        let page = match project.stages.iter().find(|it| it.chapter() == path) {
            Some(stage) => page.map(|page| minutes(project, stage, &page)),
            None => page,
        };
        let page = match path {
            PLANS => page.and_then(|page| rows(page, &mut Plan::new(project))),
            _ => page,
        };
        check(path, page);
    }
    found
}

/// Puts a text between the lines with `BEGIN stages` and `END stages`.
fn between(file: &str, text: &str) -> Result<String, String> {
    let lines: Vec<&str> = file.split_inclusive('\n').collect();
    let place = |mark| lines.iter().position(|line| line.contains(mark));
    match (place("BEGIN stages"), place("END stages")) {
        (Some(begin), Some(end)) if begin < end => {
            let (before, after) = (lines[..=begin].concat(), lines[end..].concat());
            Ok(before + text + &after)
        }
        _ => Err(
            "no line `BEGIN stages` with a line `END stages` after it: put them back".to_owned(),
        ),
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

fn aliases(project: &Project) -> String {
    let stages = project.stages.iter().map(|stage| {
        let (name, number) = (&stage.name, stage.number());
        format!("step{number} = \"run --quiet -p {name} --\"\n")
    });
    stages.collect()
}

fn watched(project: &Project) -> String {
    let stages = project.stages.iter().flat_map(|stage| {
        ["src", "tests"].map(|folder| format!("    \"../{}/{folder}\",\n", stage.name))
    });
    stages.collect()
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

fn exercises(project: &Project, stage: &Stage) -> String {
    let rows = project.exercises_of(stage).map(|it| {
        let name = format!("`{}`", it.name);
        [
            name,
            it.title.clone(),
            it.kind.clone(),
            it.minutes.to_string(),
        ]
    });
    let table = markdown::table(&["exercise", "title", "kind", "minutes:"], rows);
    format!("<!-- Written by `{WRITE}`. -->\n\n{table}")
}

static MINUTES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^(Minutes: (\d+) to read, (\d+) to run, )(\d+)( for the exercises\.)$")
        .expect("it is a regex")
});

/// The chapter with the sum of its exercises' minutes.
fn minutes(project: &Project, stage: &Stage, page: &str) -> String {
    let sum: u32 = project.exercises_of(stage).map(|it| it.minutes).sum();
    let line = |found: &Captures<'_>| format!("{}{sum}{}", &found[1], &found[5]);
    MINUTES.replace(page, line).into_owned()
}

/// Tables of which some cells are filled in.
trait Fill {
    /// Whether the table with this head is one of them.
    fn head(&mut self, cells: &[&str]) -> bool;

    /// Fills a row in.
    fn row(&mut self, cells: &mut [String]) -> Result<(), String>;
}

/// The page with its tables filled in.
fn rows(page: String, fill: &mut dyn Fill) -> Result<String, String> {
    let (mut filled, mut inside) = (String::new(), None);
    for (number, line) in (1..).zip(page.split_inclusive('\n')) {
        let cells = line
            .trim_end()
            .strip_prefix('|')
            .and_then(|it| it.strip_suffix('|'));
        let Some(cells) = cells else {
            inside = None;
            filled += line;
            continue;
        };
        let cells: Vec<&str> = cells.split('|').map(str::trim).collect();
        let head = inside.is_none();
        let wanted = *inside.get_or_insert_with(|| fill.head(&cells));
        if head || !wanted || cells[0].starts_with("--") {
            filled += line;
            continue;
        }
        let mut cells: Vec<String> = cells.into_iter().map(str::to_owned).collect();
        fill.row(&mut cells)
            .map_err(|why| format!("line {number}: {why}"))?;
        filled += &format!("| {} |\n", cells.join(" | ")).replace("  ", " ");
    }
    Ok(filled)
}

/// A table whose first head is `clause`: some rows and columns of the matrix.
struct Cutting {
    /// By clause, then by subject.
    matrix: BTreeMap<String, BTreeMap<String, String>>,
    subjects: Vec<String>,
}

impl Cutting {
    fn new(text: &str) -> Cutting {
        let (mut matrix, mut head) = (BTreeMap::<_, BTreeMap<_, _>>::new(), Vec::new());
        for line in text.lines().filter(|line| line.starts_with('|')) {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            if cells[0] == "clause" {
                head = cells.iter().map(|it| it.replace("<br>", " ")).collect();
            } else {
                let row = matrix.entry(cells[0].to_owned()).or_default();
                // A cell may have the number of a note.
                let cells = cells
                    .iter()
                    .map(|it| it.split(" (").next().unwrap_or_default());
                let cells = cells.map(|it| it.replace("**", ""));
                row.extend(head.iter().cloned().zip(cells));
            }
        }
        let subjects = Vec::new();
        Cutting { matrix, subjects }
    }
}

impl Fill for Cutting {
    fn head(&mut self, cells: &[&str]) -> bool {
        self.subjects = cells.iter().map(|it| it.replace('`', "")).collect();
        cells[0] == "clause" && cells[1..].iter().all(|it| it.starts_with('`'))
    }

    fn row(&mut self, cells: &mut [String]) -> Result<(), String> {
        let clause = cells[0].clone();
        let row = self.matrix.get(&clause);
        let row =
            row.ok_or_else(|| format!("{MATRIX} has no {clause}: name a clause that it has"))?;
        for (cell, subject) in cells.iter_mut().zip(&self.subjects).skip(1) {
            let real = row.get(subject);
            *cell = real.cloned().ok_or_else(|| {
                format!("{MATRIX} has no {clause} of `{subject}`: name a column that it has")
            })?;
        }
        Ok(())
    }
}

/// A plan for a class: its last column is `minutes`, and its last row `total`. A row takes the minutes of the parts of
/// chapters and of the exercises that it names, or those that are written there if it names none.
struct Plan<'a> {
    project: &'a Project,
    sum: u32,
}

static PART: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(read|run|exercises) (\d\d)\b|`(s\d\d[a-z]_\w+)`").expect("it is a regex")
});

impl Plan<'_> {
    fn new(project: &Project) -> Plan<'_> {
        Plan { project, sum: 0 }
    }

    fn part(&self, part: &Captures<'_>) -> Option<u32> {
        let mut exercises = self.project.exercises.iter();
        if let Some(name) = part.get(3) {
            return Some(exercises.find(|it| it.name == name.as_str())?.minutes);
        }
        let stage = self
            .project
            .stages
            .iter()
            .find(|it| it.number() == &part[2])?;
        let page = self.project.text(&stage.chapter())?;
        let minutes = MINUTES.captures(page)?;
        match &part[1] {
            "read" => minutes[2].parse().ok(),
            "run" => minutes[3].parse().ok(),
            _ => Some(self.project.exercises_of(stage).map(|it| it.minutes).sum()),
        }
    }
}

impl Fill for Plan<'_> {
    fn head(&mut self, cells: &[&str]) -> bool {
        self.sum = 0;
        cells.last() == Some(&"minutes")
    }

    fn row(&mut self, cells: &mut [String]) -> Result<(), String> {
        let text = cells.join(" ");
        let (mut named, mut sum) = (false, 0);
        for part in PART.captures_iter(&text) {
            let minutes = self.part(&part);
            sum += minutes
                .ok_or_else(|| format!("there is no `{}`: name one that is there", &part[0]))?;
            named = true;
        }
        let total = cells[0] == "total";
        let last = cells.last_mut().expect("a row has cells");
        if total {
            *last = self.sum.to_string();
        } else if named {
            *last = sum.to_string();
        }
        let minutes: u32 = last
            .parse()
            .map_err(|_| format!("`{last}` is no number of minutes: give one"))?;
        self.sum += minutes;
        Ok(())
    }
}
