//! A file in `src/carried/` is the same, byte for byte, as the one of that name in an earlier stage.

use std::collections::BTreeMap;

use crate::Project;

/// Which files differ from what they are copies of, and which copies lie elsewhere. Where a stage replaces a file, later
/// stages carry no version from before it.
pub fn complaints(project: &Project) -> Vec<String> {
    let mut found = Vec::new();
    // The paths of the files that are lent, by their names.
    let mut lent: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for stage in &project.stages {
        let src = format!("{}/src/", stage.name);
        for (path, text) in project.with(&src, ".rs") {
            let Some(name) = path[src.len()..].strip_prefix("carried/") else {
                if let Some(first) = seen.insert(text, path) {
                    found.push(format!("{path}: equals {first}: move it to {src}carried/"));
                }
                continue;
            };
            match lent.get(name) {
                None => found.push(format!(
                    "{path}: no earlier stage lends it: add {name:?} to `lends` in the Cargo.toml of its stage"
                )),
                Some(from) if !from.iter().any(|it| project.text(it) == Some(text)) => {
                    found.push(format!("{path}: differs from {}: copy that one", from.join(" and ")));
                }
                Some(_) => {}
            }
        }
        let Ok(metadata) = &stage.metadata else {
            continue;
        };
        for name in &metadata.replaces {
            lent.insert(name, vec![format!("{src}{name}")]);
        }
        for name in &metadata.lends {
            let from = lent.entry(name).or_default();
            from.push(format!("{src}{name}"));
        }
    }
    found
}
