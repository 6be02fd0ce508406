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
    "tools/course",
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
    let folders = ["lab", "tools", "exercises"].map(str::to_owned).into_iter();
    let sources = folders.chain(stages(book)).flat_map(|folder| {
        let files = files_below(&book.root.join(folder), ".rs").into_iter();
        files.map(|file| (shown(&book.root, &file), read(&file).unwrap_or_default()))
    });
    let sources: Vec<(String, String)> = sources.collect();
    // A stage carries files of another, byte for byte, with the anchors that the other's chapter uses.
    let shown: BTreeSet<(&str, &str)> = used
        .iter()
        .filter_map(|(path, anchor)| {
            let (_, text) = sources.iter().find(|(other, _)| other == path)?;
            Some((text.as_str(), anchor.as_str()))
        })
        .collect();
    for (path, text) in &sources {
        found.extend(left_over(path, text, &shown));
    }
    found
}

fn stages(book: &Book) -> impl Iterator<Item = String> {
    let names = book.targets().packages();
    let names = names.filter(|name| name.starts_with("step"));
    names.map(str::to_owned)
}

fn left_over(path: &str, text: &str, shown: &BTreeSet<(&str, &str)>) -> Vec<Complaint> {
    if FREE.iter().any(|free| path.starts_with(free)) {
        return Vec::new();
    }
    let marks = marks(text);
    let comment = |line: usize| {
        let line = text.lines().nth(line - 1).unwrap_or_default();
        line.trim_start().starts_with("// ANCHOR")
    };
    let unused = marks
        .iter()
        .filter(|it| !it.end && comment(it.line) && !shown.contains(&(text, it.name.as_str())));
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
