//! The rules of the book's pages. Each is a function that says what is wrong.

mod code;
mod names;
mod text;
mod voice;

use std::collections::BTreeSet;

pub(crate) use code::included;
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
        voice::page(page, &mut found);
    }
    voice::comments(project, &mut found);
    code::left_over(project, &used, &mut found);

    let words = names::words(project);
    let book = in_order(project, &all, &mut found);
    for page in &book {
        code::fences(project, page, &mut found);
        names::known(project, page, &words, &mut found);
        names::versions(project, page, &mut found);
        text::tests(project, page, &mut found);
        text::languages(page, &mut found);
        text::style(page, &mut found);
    }
    text::terms(&book, &mut found);
    text::numbers(project, &mut found);
    text::pictures(project, &mut found);
    found
}

/// The pages of the book, in the order of the summary. Each that is named is there, and each that is there is named.
fn in_order<'a>(project: &Project, all: &'a [Page], found: &mut Vec<String>) -> Vec<&'a Page> {
    const SUMMARY: &str = "book/src/SUMMARY.md";
    let summary = project.text(SUMMARY).unwrap_or_default();
    let files = summary
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    // What has no file is a title between pages.
    let files = files.filter(|file| !file.is_empty());
    let named: Vec<String> = files.map(|file| format!("book/src/{file}")).collect();
    // What a page includes is no page.
    let pages = all
        .iter()
        .filter(|it| it.path.starts_with("book/src/") && !it.path.starts_with("book/src/whole/"));
    for page in pages {
        if page.path != SUMMARY && !named.contains(&page.path) {
            found.push(format!("{}: {SUMMARY} does not name it: add it", page.path));
        }
    }
    let pages = named.iter().filter_map(|path| {
        let page = all.iter().find(|page| page.path == *path);
        if page.is_none() {
            found.push(format!(
                "{SUMMARY}: there is no {path}: name a page that is there"
            ));
        }
        page
    });
    pages.collect()
}
