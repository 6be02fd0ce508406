//! A Rust file of a stage that no `mod` names is never compiled, so no test in it ever runs. Neither rustc nor cargo says so.

use std::collections::BTreeSet;

use crate::{Project, Stage};

/// The files of the stages that are neither a module of another file nor a target of cargo.
pub fn complaints(project: &Project) -> Vec<String> {
    let unnamed = |stage| unnamed(project, stage);
    project.stages.iter().flat_map(unnamed).collect()
}

fn unnamed(project: &Project, stage: &Stage) -> Vec<String> {
    let stage = format!("{}/", stage.name);
    let manifest = project.text(&format!("{stage}Cargo.toml"));
    let named_targets = targets(manifest.unwrap_or_default());
    let files: Vec<_> = project.with(&stage, ".rs").collect();
    let named_paths: Vec<String> = files.iter().flat_map(paths).collect();
    let is_named = |path: &str| {
        let target = target(&path[stage.len()..]);
        let (folder, name) = module(path);
        let mut others = files.iter().filter(|(other, _)| *other != path);
        is_found_by_cargo(target)
            || named_targets.contains(target)
            || named_paths.iter().any(|named| named == path)
            || others.any(|(other, text)| declares(other, text, folder, name))
    };
    let mut found = Vec::new();
    for (path, _) in &files {
        if !is_named(path) {
            let (_, name) = module(path);
            found.push(format!(
                "{path}: no file beside it has `mod {name};`, so it isn't compiled, and no test in it runs: add that line"
            ));
        }
    }
    found
}

/// What a file would be called as a target: `tests/it` for `tests/it.rs` and for `tests/it/main.rs`.
fn target(path: &str) -> &str {
    path.trim_end_matches(".rs").trim_end_matches("/main")
}

/// Whether cargo compiles a target without being told. All stages have `autotests = false`, so that is none of their tests.
fn is_found_by_cargo(target: &str) -> bool {
    let (folder, _) = target.rsplit_once('/').unwrap_or_default();
    ["src/lib", "src", "build"].contains(&target) || ["src/bin", "examples"].contains(&folder)
}

/// The targets that the manifest names.
fn targets(manifest: &str) -> BTreeSet<String> {
    let manifest: toml::Table = toml::from_str(manifest).unwrap_or_default();
    let mut targets = BTreeSet::new();
    for (kind, folder) in [
        ("test", "tests"),
        ("bin", "src/bin"),
        ("example", "examples"),
    ] {
        let all = manifest.get(kind).and_then(toml::Value::as_array);
        for named in all.into_iter().flatten() {
            let value = |key| named.get(key).and_then(toml::Value::as_str);
            targets.extend(match value("path") {
                Some(path) => Some(target(path).to_owned()),
                None => value("name").map(|name| format!("{folder}/{name}")),
            });
        }
    }
    targets
}

/// The folder in which a file's module is declared, and the module's name.
fn module(path: &str) -> (&str, &str) {
    let path = path.trim_end_matches(".rs").trim_end_matches("/mod");
    split(path)
}

/// Whether this file declares the module of this name in this folder.
fn declares(path: &str, text: &str, folder: &str, name: &str) -> bool {
    let (here, _) = split(path);
    // `mod carried { mod x; }` is x.rs in the folder `carried`.
    let inline = format!("mod {} {{", split(folder).1);
    let is_parent = here == folder
        || path.trim_end_matches(".rs") == folder
        || (folder.starts_with(here) && text.contains(&inline));
    let declaration = format!("mod {name};");
    is_parent
        && text.lines().any(|line| {
            let before = line.trim().strip_suffix(&declaration);
            before.is_some_and(|visibility| visibility.is_empty() || visibility.starts_with("pub"))
        })
}

/// The files that `#[path = "…"]` names in this one.
fn paths((path, text): &(&str, &str)) -> Vec<String> {
    let (folder, _) = split(path);
    let resolve = |named: &str| {
        let mut parts: Vec<&str> = folder.split('/').collect();
        for part in named.split('/') {
            match part {
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        parts.join("/")
    };
    let named = text.lines().filter_map(|line| {
        let named = line.trim().strip_prefix("#[path = \"")?;
        named.strip_suffix("\"]")
    });
    named.map(resolve).collect()
}

fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').expect("it is below a stage's folder")
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGE: [(&str, &str); 9] = [
        ("exercises/info.toml", "exercises = []"),
        (
            "step01-x/Cargo.toml",
            "[[test]]\nname = \"it\"\n[[test]]\nname = \"loom\"",
        ),
        (
            "step01-x/src/lib.rs",
            "mod carried {\n    pub(crate) mod contain;\n}\nmod timer;",
        ),
        ("step01-x/src/bin/echo.rs", ""),
        ("step01-x/src/carried/contain.rs", ""),
        (
            "step01-x/src/timer.rs",
            "#[path = \"../tests/inside/timer.rs\"]\nmod tests;",
        ),
        ("step01-x/tests/inside/timer.rs", ""),
        ("step01-x/tests/it.rs", "mod queue;"),
        ("step01-x/tests/loom/main.rs", "mod state;"),
    ];

    /// What is said of a stage that has this file, too.
    fn said(path: &str) -> Vec<String> {
        let files = STAGE.into_iter().chain([(path, "")]);
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        complaints(&Project::of(files.collect()).expect("it can be parsed"))
    }

    #[test]
    fn a_file_is_told_unless_it_is_a_module_or_a_target() {
        for named in [
            "tests/queue.rs",
            "tests/queue/mod.rs",
            "tests/loom/state.rs",
            "examples/x.rs",
        ] {
            assert_eq!(said(&format!("step01-x/{named}")), [""; 0], "{named}");
        }
        // The last two are declared, but somewhere else.
        for unnamed in [
            "tests/sleep.rs",
            "src/sleep.rs",
            "tests/loom/queue.rs",
            "tests/state.rs",
        ] {
            let path = format!("step01-x/{unnamed}");
            let said = said(&path);
            assert!(
                matches!(&said[..], [one] if one.starts_with(&path)),
                "{unnamed}: {said:?}"
            );
        }
    }
}
