//! A file in `src/carried/` is the same, byte for byte, as the latest one of that name in an earlier stage.

use std::collections::BTreeMap;

use crate::Project;

/// Which copies differ from what they are copies of.
pub fn complaints(project: &Project) -> Vec<String> {
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
                let from = from.join(" or ");
                found.push(format!("{path}: is no copy of {from}: copy it from there"));
            }
        }
        for (path, name, _) in own {
            earlier.entry(name).or_default().push(path);
        }
    }
    found
}
