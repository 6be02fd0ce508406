//! The rules of the house: who may depend on whom, what a stage carries, and which Rust it is written in.

use std::collections::BTreeMap;

use toml::{Table, Value};

use crate::Project;

/// Which rules are broken.
pub fn complaints(project: &Project) -> Vec<String> {
    let mut found = arrows(project);
    found.extend(carried(project));
    found.extend(young_syntax(project));
    found
}

/// tools → stages and lab; stages → lab, in their tests; lab → lab.
fn arrows(project: &Project) -> Vec<String> {
    let mut found = Vec::new();
    let room = |folder: &str| match folder.split_once('/') {
        Some((room, _)) => room.to_owned(),
        None => folder.get(..4).unwrap_or_default().to_owned(),
    };
    for (folder, manifest) in project.packages.values() {
        for (dependency, dev) in dependencies(manifest) {
            let Some((target, _)) = project.packages.get(&dependency) else {
                continue;
            };
            let (from, to) = (room(folder), room(target));
            let right = match from.as_str() {
                "step" => to == "lab" && dev,
                "lab" => to == "lab",
                "tools" => to != "exercises",
                _ => to == "step" || to == "lab",
            };
            if !right {
                let rule = match from.as_str() {
                    "step" => "a stage knows the lab alone, and only in its tests",
                    "lab" => "the lab knows no stage and no tool",
                    _ => "no room knows the exercises, and they know no tool",
                };
                found.push(format!(
                    "{folder}/Cargo.toml: depends on {dependency}: {rule}"
                ));
            }
        }
    }
    found
}

/// The names in a manifest's tables of dependencies, each with whether it is only for tests.
fn dependencies(manifest: &Table) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    for (key, value) in manifest {
        let Value::Table(table) = value else { continue };
        match key.as_str() {
            "dependencies" | "dev-dependencies" | "build-dependencies" => {
                let dev = key == "dev-dependencies";
                found.extend(table.iter().map(|(name, dependency)| {
                    let renamed = dependency.get("package").and_then(Value::as_str);
                    (renamed.unwrap_or(name).to_owned(), dev)
                }));
            }
            "target" => found.extend(
                table
                    .values()
                    .filter_map(Value::as_table)
                    .flat_map(dependencies),
            ),
            _ => {}
        }
    }
    found
}

/// A file in `src/carried/` is the same, byte for byte, as the one of that name that an earlier stage lends, and what is
/// the same in two stages is carried. Where a stage replaces a file, later stages carry no version from before it.
fn carried(project: &Project) -> Vec<String> {
    let mut found = Vec::new();
    // A name, the file, the manifest that lends it, and whether a later stage carries it.
    let mut lent: Vec<(&str, String, String, bool)> = Vec::new();
    // Where in `lent` the latest version of a name begins.
    let mut latest: BTreeMap<&str, usize> = BTreeMap::new();
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
            let from = latest.get(name).copied().unwrap_or(0);
            let mut lenders: Vec<_> = lent[from..].iter_mut().filter(|it| it.0 == name).collect();
            let equal = lenders
                .iter_mut()
                .find(|it| project.text(&it.1) == Some(text));
            if let Some((.., carried)) = equal {
                *carried = true;
            } else if lenders.is_empty() {
                found.push(format!("{path}: no earlier stage lends it: add {name:?} to `lends` in the Cargo.toml of its stage"));
            } else {
                let originals: Vec<_> = lenders.iter().map(|it| it.1.as_str()).collect();
                found.push(format!(
                    "{path}: differs from {}: copy that one",
                    originals.join(" and ")
                ));
            }
        }
        for name in stage.metadata.iter().flat_map(|it| &it.replaces) {
            latest.insert(name, lent.len());
        }
        let lends = stage.metadata.iter().flat_map(|it| &it.lends);
        let replaces = stage.metadata.iter().flat_map(|it| &it.replaces);
        for name in lends.chain(replaces) {
            lent.push((
                name,
                format!("{src}{name}"),
                format!("{}/Cargo.toml", stage.name),
                false,
            ));
        }
    }
    let idle = lent.into_iter().filter(|it| !it.3);
    found.extend(idle.map(|(name, _, manifest, _)| {
        format!("{manifest}: lends {name:?}, and no stage carries it: take it out of `lends`")
    }));
    found
}

/// `if let … && …` came with Rust 1.88, and `rust-version` is 1.85. Clippy knows the age of functions, not of syntax; CI's
/// check with Rust 1.85 knows both, and few have that at hand.
fn young_syntax(project: &Project) -> Vec<String> {
    let mut found = Vec::new();
    let folders = ["step", "lab/", "tools/", "exercises/"];
    for (path, text) in folders.iter().flat_map(|it| project.with(it, ".rs")) {
        // As rustfmt sets them: the parts stand below each other, unless there are two, and only the second is a `let`.
        let mut in_condition = false;
        for (number, line) in (1..).zip(text.lines()) {
            let code = line.trim_start();
            let mut after = code.split("&& ").skip(1);
            let bound = !code.starts_with("//") && after.any(|it| it.starts_with("let "));
            if bound || in_condition && code.starts_with("&& ") {
                found.push(format!(
                    "{path}:{number}: `let` and `&&` in one condition need Rust 1.88: use two"
                ));
            }
            let binds = ["if let ", "while let ", "} else if let "];
            in_condition |= binds.iter().any(|it| code.starts_with(it));
            in_condition &= !code.ends_with('{');
        }
    }
    found
}
