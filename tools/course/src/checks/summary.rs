//! The summary lists each page once, by its own title.

use crate::{
    Book, Complaint, Page,
    text::{files_below, read, shown},
};

use super::on;

const FILE: &str = "book/src/SUMMARY.md";
const CHAPTERS: &str = "lab/probe/src/chapters.rs";

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let mut found = Vec::new();
    let src = book.src();
    for entry in &book.entries {
        match book.page(&entry.file) {
            None => {
                let says = format!(
                    "`{}` is not there: write it, or take the line out",
                    entry.file
                );
                found.push(Complaint::new(FILE, entry.line, says));
            }
            Some(page) => found.extend(title(page, &entry.title)),
        }
    }
    for file in files_below(&src, ".md") {
        let name = shown(&src, &file);
        if name != "SUMMARY.md" && !book.entries.iter().any(|it| it.file == name) {
            let says = format!("no line of {FILE} names this page: add one, or remove the page");
            found.push(Complaint::new(&format!("book/src/{name}"), 1, says));
        }
    }
    found.extend(chapters(book));
    found
}

fn title(page: &Page, title: &str) -> Option<Complaint> {
    let first = page.headings().next();
    let (level, text, line) = first.unwrap_or((0, String::new(), 1));
    let says = format!("the page begins with `# {title}` in {FILE}, and not here: make them equal");
    ((level, text.as_str()) != (1, title)).then(|| on(page, line, says))
}

/// The probe's diagnoses name chapters, so its titles are the ones.
fn chapters(book: &Book) -> Vec<Complaint> {
    let text = read(&book.root.join(CHAPTERS)).unwrap_or_default();
    let list = text
        .split_once("TITLES")
        .and_then(|(_, rest)| rest.split_once("];"));
    let titles = list
        .map_or("", |(list, _)| list)
        .split('"')
        .skip(1)
        .step_by(2);
    let entries = || book.entries.iter().filter(|it| it.numbered);
    let mut found = Vec::new();
    for (entry, title) in entries().zip(titles.clone()) {
        if entry.title != title {
            let says = format!("{CHAPTERS} calls this chapter {title:?}: use that title");
            found.push(Complaint::new(FILE, entry.line, says));
        }
    }
    let (here, there) = (entries().count(), titles.count());
    if here != there {
        let says =
            format!("{here} numbered chapters, and {there} titles in {CHAPTERS}: make them equal");
        found.push(Complaint::new(FILE, 1, says));
    }
    found
}
