//! A file in `src/carried/` is the same, byte for byte, as the latest one of that name in an earlier stage.

use std::{collections::BTreeMap, fs};

use crate::{Project, derived::WRITE};

/// Which copies differ from what they are copies of. With `write`, copies those again, and says what can't be.
pub fn stale(project: &Project, write: bool) -> Vec<String> {
    let mut found = Vec::new();
    // The files of the stages so far, by their names.
    let mut earlier: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for stage in &project.stages {
        let src = format!("{}/src/", stage.name);
        let (mut copies, mut own) = (Vec::new(), Vec::new());
        for (path, text) in project.with(&src, ".rs") {
            let name = &path[src.len()..];
            match name.strip_prefix("carried/") {
                Some(name) => copies.push((path, name, text)),
                None => own.push((path, name)),
            }
        }
        for (path, name, text) in copies {
            let from = earlier.get(name).map_or(&[][..], Vec::as_slice);
            let is_copy_of = |earlier: &&str| project.text(earlier) == Some(text);
            // Each stage has a `sync.rs` of its own, with the primitives that it needs.
            let is_right = match name {
                "sync.rs" => from.iter().any(is_copy_of),
                _ => from.last().is_some_and(is_copy_of),
            };
            if is_right {
                continue;
            }
            let fault = match from {
                [] => {
                    format!(
                        "{path}: no earlier stage has a {name}: name it as what it is a copy of"
                    )
                }
                _ if name == "sync.rs" => {
                    let from = from.join(" or ");
                    format!("{path}: is no copy of {from}: copy it from there")
                }
                [.., from] if write => {
                    let text = project.text(from).unwrap_or_default();
                    match fs::write(kit::files::root().join(path), text) {
                        Ok(()) => continue,
                        Err(error) => format!("{path}: {error}"),
                    }
                }
                [.., from] => format!("{path}: is no copy of {from}: run `{WRITE}`"),
            };
            found.push(fault);
        }
        for (path, name) in own {
            earlier.entry(name).or_default().push(path);
        }
    }
    found
}
