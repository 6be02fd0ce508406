//! A file in `src/carried/` is the same, byte for byte, as the latest one of that name in an earlier stage.

use std::{collections::BTreeMap, fs};

use crate::{Project, derived::WRITE, git};

/// Which copies differ from what they are copies of. With `write`, copies those again, and says what can't be. One that somebody has
/// edited stays as it is.
pub fn stale(project: &Project, write: bool) -> Vec<String> {
    stale_since(project, git::committed, write)
}

/// The same, with the text that a file had in the last commit.
fn stale_since(
    project: &Project,
    committed: impl Fn(&str) -> Option<String>,
    write: bool,
) -> Vec<String> {
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
                // Its source is as it was, so the difference was made in the copy.
                [.., from]
                    if committed(path).is_some_and(|old| old != text)
                        && committed(from).as_deref() == project.text(from) =>
                {
                    edited(path, from)
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

/// What there is to say of a copy that somebody has edited.
pub(crate) fn edited(copy: &str, from: &str) -> String {
    format!("{copy}: you edited a copy of {from}: edit {from}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const COPY: &str = "step02-y/src/carried/x.rs";
    const FROM: &str = "step01-x/src/x.rs";

    /// What is said of a copy, with the texts of both files in the last commit and now.
    fn said(committed: Option<[&str; 2]>, [from, copy]: [&str; 2], write: bool) -> String {
        let files = [
            ("step01-x/Cargo.toml", ""),
            (FROM, from),
            ("step02-y/Cargo.toml", ""),
            (COPY, copy),
            ("exercises/info.toml", "exercises = []"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let project = Project::of(files.into()).expect("it can be parsed");
        let before = |path: &str| {
            let [from, copy] = committed?;
            Some(if path == COPY { copy } else { from }.to_owned())
        };
        stale_since(&project, before, write).join("\n")
    }

    #[test]
    fn an_edited_copy_is_told_and_never_overwritten() {
        let edited = "step02-y/src/carried/x.rs: you edited a copy of step01-x/src/x.rs: edit step01-x/src/x.rs";
        for write in [false, true] {
            assert_eq!(said(Some(["a", "a"]), ["a", "b"], write), edited);
        }
        let stale = "step02-y/src/carried/x.rs: is no copy";
        let not_edited = [
            (Some(["a", "a"]), ["b", "a"]), // the source was edited
            (Some(["a", "a"]), ["b", "c"]), // both were
            (Some(["b", "a"]), ["b", "a"]), // the source was committed without its copy
            (None, ["a", "b"]),             // there is no git
        ];
        for (committed, now) in not_edited {
            let said = said(committed, now, false);
            assert!(said.starts_with(stale), "{committed:?}, {now:?}: {said}");
        }
    }
}
