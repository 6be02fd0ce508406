//! Each include finds its file and its anchor, and no anchor is left over.

use std::collections::BTreeSet;

use crate::{
    Book, Complaint,
    anchors::{fault, marks},
    include::directives,
    text::{clean, files_below, read, shown},
};

use super::on;

/// Where anchors need no page: the museum reads its own, and wrong answers are pieces of files.
const FREE: [&str; 3] = [
    "lab/museum/src/exhibits",
    "exercises/class/wrong",
    "lab/book-check",
];

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let (mut found, mut used) = (Vec::new(), BTreeSet::new());
    for page in &book.pages {
        for directive in directives(&page.text) {
            let file = clean(&book.src().join(&directive.file));
            let path = shown(&book.root, &file);
            let says = match (directive.name.as_str(), read(&file), directive.part) {
                ("include" | "rustdoc_include", Ok(text), Some(anchor)) => {
                    let says = if anchor.starts_with(|c: char| c.is_ascii_digit() || c == ':') {
                        Some("lines by number drift: use an anchor".to_owned())
                    } else {
                        let fault = fault(&marks(&text), &anchor);
                        fault.map(|fault| {
                            format!("`{path}` {fault}: `{anchor}`; mend the file or the include")
                        })
                    };
                    used.insert((path, anchor));
                    says
                }
                ("include" | "rustdoc_include", Ok(_), None) => None,
                ("include" | "rustdoc_include", Err(_), _) => Some(format!(
                    "`{path}` is not there: mend the path of the include"
                )),
                (name, ..) => Some(format!(
                    "{{{{#{name}}}}} is not used in this book: use include"
                )),
            };
            found.extend(says.map(|says| on(page, directive.line, says)));
        }
    }
    for folder in ["lab", "exercises"]
        .into_iter()
        .map(str::to_owned)
        .chain(stages(book))
    {
        for file in files_below(&book.root.join(folder), ".rs") {
            found.extend(left_over(
                &shown(&book.root, &file),
                &read(&file).unwrap_or_default(),
                &used,
            ));
        }
    }
    found
}

fn stages(book: &Book) -> impl Iterator<Item = String> {
    let names = book
        .targets()
        .packages()
        .filter(|name| name.starts_with("step"));
    names.map(str::to_owned)
}

fn left_over(path: &str, text: &str, used: &BTreeSet<(String, String)>) -> Vec<Complaint> {
    if FREE.iter().any(|free| path.starts_with(free)) {
        return Vec::new();
    }
    let marks = marks(text);
    let unused = marks
        .iter()
        .filter(|it| !used.contains(&(path.to_owned(), it.name.clone())));
    unused
        .map(|it| {
            let says = format!(
                "no page includes the anchor `{}`: include it, or take it out",
                it.name
            );
            Complaint::new(path, it.line, says)
        })
        .collect()
}
