//! Each command that a page tells the reader to type names packages, programs, tests and exhibits that exist.

use cargo_metadata::TargetKind;

use crate::{Book, Complaint};

use super::on;

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let mut found = Vec::new();
    for page in &book.pages {
        let fences = page
            .fences
            .iter()
            .filter(|it| ["sh", "console"].contains(&it.info.as_str()));
        let typed = fences.flat_map(|fence| {
            let lines = (fence.line + 1..).zip(fence.body.lines());
            lines.filter_map(|(line, text)| match fence.info.as_str() {
                "sh" => Some((line, text)),
                _ => text.strip_prefix("$ ").map(|text| (line, text)),
            })
        });
        let pieces = page.blocks.iter().flat_map(|block| &block.pieces);
        let named = pieces
            .filter(|it| it.code)
            .map(|it| (it.line, it.text.as_str()));
        for (line, command) in typed.chain(named) {
            found.extend(fault(book, command).map(|says| on(page, line, says)));
        }
    }
    found
}

/// What is wrong with a command, if it is one of cargo's and names something that is not there.
fn fault(book: &Book, command: &str) -> Option<String> {
    let command = command.split(" #").next().unwrap_or_default().trim();
    let words: Vec<&str> = command.split_whitespace().collect();
    let cargo = words.iter().position(|word| *word == "cargo")?;
    let alias = words.get(cargo + 1)?.strip_prefix("step");
    if let Some(number) = alias {
        let known = book
            .targets()
            .packages()
            .any(|it| it.starts_with(&format!("step{number}-")));
        return (!known)
            .then(|| format!("`{command}`: there is no stage {number}; name one that is there"));
    }
    let after = |names: &[&str]| {
        let place = words.iter().position(|word| names.contains(word))?;
        words.get(place + 1).copied()
    };
    let package = after(&["-p", "--package"])?;
    let targets = book.targets();
    if !targets.has(package, None) {
        return Some(format!(
            "`{command}`: there is no package `{package}`; name one that is there"
        ));
    }
    for (option, kind) in [("--bin", TargetKind::Bin), ("--test", TargetKind::Test)] {
        let missing = after(&[option]).filter(|name| !targets.has(package, Some((kind, name))));
        if let Some(name) = missing {
            return Some(format!(
                "`{command}`: `{package}` has no `{option} {name}`; name one that is there"
            ));
        }
    }
    let exhibit = after(&["--"]).filter(|name| package == "museum" && !name.starts_with('-'))?;
    let file = format!("lab/museum/src/exhibits/{}.rs", exhibit.replace('-', "_"));
    (!book.root.join(&file).is_file())
        .then(|| format!("`{command}`: there is no `{file}`; name an exhibit that is there"))
}
