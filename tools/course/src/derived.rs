//! What follows from the stages' metadata, the lists of exercises and of findings, and the length of pages: written, not checked.

mod exercises;
mod findings;
mod reading;

use std::collections::BTreeMap;

use kit::written;
use regex::Captures;

use crate::{Project, pages::regex};

/// The command that writes it.
pub const WRITE: &str = "cargo run -p course -- --write";

/// The pages with plans for a class.
const PLANS: [&str; 2] = ["book/src/course.md", "book/src/term.md"];

/// What is out of date, or with `write` what cannot be written.
pub fn stale(project: &Project, write: bool) -> Vec<String> {
    let text = |path: &str| project.text(path).unwrap_or_default();
    let mut files = Vec::new();
    // What is handed out to learners is without the teacher's pages.
    for page in PLANS {
        if let Some(plans) = project.text(page) {
            files.push((page.to_owned(), Ok(exercises::plans(project, plans))));
        }
    }
    // A file may have both lists.
    let mut with_lists = BTreeMap::new();
    for (path, name, list) in stages(project).into_iter().chain(findings::lists(project)) {
        let file = with_lists.remove(path).unwrap_or(Ok(text(path).to_owned()));
        let file = file.and_then(|file| between(&file, name, &list));
        with_lists.insert(path, file);
    }
    for (path, file) in with_lists {
        files.push((path.to_owned(), file));
    }
    for (path, page) in project.with("book/src/", ".md") {
        if page.contains("\n| Minutes to read |") {
            let page = reading::filled(project, path, page);
            let page = exercises::minutes(project, path, page);
            files.push((path.to_owned(), Ok(page)));
        }
    }
    for stage in &project.stages {
        let table = exercises::table(project, stage);
        files.push((exercises::file(stage), Ok(table)));
    }
    let root = kit::files::root();
    let checked = files.into_iter().map(|(path, text)| {
        let text = text.map_err(|why| format!("{path}: {why}"))?;
        written::check(&root.join(&path), &text, write, WRITE)
    });
    checked.filter_map(Result::err).collect()
}

/// Puts a list between the lines that mark its place.
fn between(file: &str, name: &str, list: &str) -> Result<String, String> {
    let place = regex(&format!("(?s)(BEGIN {name}[^\n]*\n).*?(<!-- END {name})"));
    if !place.is_match(file) {
        return Err(format!(
            "put back the lines `BEGIN {name}` and `END {name}`"
        ));
    }
    let with = |it: &Captures<'_>| format!("{}{list}{}", &it[1], &it[2]);
    Ok(place.replace(file, with).into_owned())
}

/// A file, the name of a list in it, and the list.
type List = (&'static str, &'static str, String);

/// README's table, the map in the book's introduction, and the chapters with the other pages that begin with their number.
fn stages(project: &Project) -> [List; 3] {
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
        let others = project
            .with(&pages, ".md")
            .filter(|(path, _)| *path != chapter);
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
    .map(|(path, list)| (path, "stages", format!("\n{list}\n")))
}
