//! What follows from the stages' metadata, the list of exercises and the length of pages: written, not checked.

mod exercises;
mod reading;

use kit::written;
use regex::Captures;

use crate::{Project, pages::regex};

/// The command that writes it.
pub const WRITE: &str = "cargo run -p course -- --write";

const PLANS: &str = "book/src/course.md";

/// What is out of date, or with `write` what cannot be written.
pub fn stale(project: &Project, write: bool) -> Vec<String> {
    let text = |path: &str| project.text(path).unwrap_or_default();
    let mut files = vec![(PLANS.to_owned(), Ok(exercises::plans(project, text(PLANS))))];
    for (path, list) in stages(project) {
        let file = between(text(path), &list);
        files.push((path.to_owned(), file));
    }
    for (path, page) in project.with("book/src/", ".md") {
        if page.contains("\nMinutes: ") {
            let page = reading::filled(project, path, page);
            let page = exercises::minutes(project, path, page);
            files.push((path.to_owned(), Ok(page)));
        }
    }
    let root = kit::files::root();
    let checked = files.into_iter().map(|(path, text)| {
        let text = text.map_err(|why| format!("{path}: {why}"))?;
        written::check(&root.join(&path), &text, write, WRITE)
    });
    checked.filter_map(Result::err).collect()
}

/// Puts a list between the lines that mark its place.
fn between(file: &str, list: &str) -> Result<String, String> {
    let place = regex(r"(?s)(BEGIN stages[^\n]*\n).*(\n<!-- END stages)");
    if !place.is_match(file) {
        return Err("put back the lines `BEGIN stages` and `END stages`".to_owned());
    }
    let with = |it: &Captures<'_>| format!("{}\n{list}{}", &it[1], &it[2]);
    Ok(place.replace(file, with).into_owned())
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
