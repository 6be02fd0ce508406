//! What follows from the stages' metadata, the lists of exercises and of findings, and the length of pages: written, not checked.

mod exercises;
mod findings;
mod list;
mod reading;
mod stages;

use kit::written;

use crate::Project;

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
    let lists = stages::lists(project).into_iter();
    for list in lists.chain([findings::list(project)]) {
        files.push((list.file.to_owned(), list.put_into(text(list.file))));
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
