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
        let files = project.with(&src, ".rs");
        let files = files.map(|(path, text)| (path, &path[src.len()..], text));
        let (copies, own): (Vec<_>, Vec<_>) = files.partition(|it| it.1.starts_with("carried/"));
        for (path, name, text) in copies {
            let name = &name["carried/".len()..];
            let from = earlier.get(name).map_or(&[][..], Vec::as_slice);
            // Each stage has a `sync.rs` of its own, with the primitives that it needs.
            let is_it = |it: &&str| project.text(it) == Some(text);
            let is_own = name == "sync.rs" && from.iter().any(is_it);
            if !is_own && !from.last().is_some_and(is_it) {
                found.push(match from {
                    [] => format!(
                        "{path}: no earlier stage has a {name}: name it as what it is a copy of"
                    ),
                    [.., from] if write && name != "sync.rs" => {
                        let text = project.text(from).unwrap_or_default();
                        match fs::write(kit::files::root().join(path), text) {
                            Ok(()) => continue,
                            Err(error) => format!("{path}: {error}"),
                        }
                    }
                    _ if name == "sync.rs" => {
                        let from = from.join(" or ");
                        format!("{path}: is no copy of {from}: copy it from there")
                    }
                    [.., from] => format!("{path}: is no copy of {from}: run `{WRITE}`"),
                });
            }
        }
        for (path, name, _) in own {
            earlier.entry(name).or_default().push(path);
        }
    }
    found
}
