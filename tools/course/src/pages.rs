//! The rules of the book's pages. Each is a function that says what is wrong.

mod code;
mod names;
mod text;

use std::collections::BTreeSet;

pub use text::chapter;

use crate::{Project, page::Page};

/// Which rules the pages break.
pub fn complaints(project: &Project) -> Vec<String> {
    let mut found = Vec::new();
    let markdown = project.with("", ".md");
    let all: Vec<Page> = markdown.map(|(path, text)| Page::new(path, text)).collect();
    let mut used = BTreeSet::new();
    for page in &all {
        code::includes(project, page, &mut used, &mut found);
        names::commands(project, page, &mut found);
        names::paths(project, page, &mut found);
    }
    code::left_over(project, &used, &mut found);

    let words = names::words(project);
    let book = in_order(project, &all);
    for page in &book {
        code::fences(project, page, &mut found);
        names::known(project, page, &words, &mut found);
        names::versions(project, page, &mut found);
        text::tests(project, page, &mut found);
        text::style(page, &mut found);
    }
    text::terms(&book, &mut found);
    text::numbers(project, &mut found);
    text::pictures(project, &mut found);
    found
}

/// The pages of the book, in the order of the summary.
fn in_order<'a>(project: &Project, all: &'a [Page]) -> Vec<&'a Page> {
    let summary = project.text("book/src/SUMMARY.md").unwrap_or_default();
    let files = summary
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let pages = files.filter_map(|file| {
        let path = format!("book/src/{file}");
        all.iter().find(|page| page.path == path)
    });
    pages.collect()
}
