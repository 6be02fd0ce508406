//! A file in `src/carried/` is the same, byte for byte, as the latest one of that name in an earlier stage.

use std::collections::BTreeMap;

use crate::{Project, derived::WRITE, made};

/// Which copies differ from what they are copies of. With `write`, copies those again, and says what can't be. One that somebody has
/// edited stays as it is.
pub fn stale(project: &Project, write: bool) -> Vec<String> {
    stale_but(project, made::texts, write)
}

/// The same, with the texts that a file has had without an edit.
fn stale_but(
    project: &Project,
    unedited: impl Fn(&str) -> Vec<String>,
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
                [.., from] if !unedited(path).iter().any(|old| old == text) => edited(path, from),
                [.., from] if write => {
                    let text = project.text(from).unwrap_or_default();
                    match made::write(path, text) {
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

/// What there is to say of a copy that somebody has edited, or that git doesn't know.
pub(crate) fn edited(copy: &str, from: &str) -> String {
    format!(
        "{copy}: is no copy of {from} and not as committed: edit {from}, and copy it from there"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const COPY: &str = "step02-y/src/carried/x.rs";
    const FROM: &str = "step01-x/src/x.rs";

    /// What is said of a copy with these texts before an edit, when its source and it are these now.
    fn said(unedited: &[&str], [from, copy]: [&str; 2], write: bool) -> String {
        let files = [
            ("step01-x/Cargo.toml", ""),
            (FROM, from),
            ("step02-y/Cargo.toml", ""),
            (COPY, copy),
            ("exercises/info.toml", "exercises = []"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let project = Project::of(files.into()).expect("it can be parsed");
        let unedited = |path: &str| {
            assert_eq!(path, COPY);
            unedited.iter().map(|text| String::from(*text)).collect()
        };
        stale_but(&project, unedited, write).join("\n")
    }

    #[test]
    fn an_edited_copy_is_told_and_never_overwritten() {
        let edited = [
            (&["a"][..], ["a", "b"]),  // the copy was edited
            (&["a"], ["b", "c"]),      // and its source, too
            (&["a", "b"], ["c", "d"]), // after it was copied again
            (&[], ["a", "b"]),         // nobody knows
        ];
        for (unedited, now) in edited {
            for write in [false, true] {
                let said = said(unedited, now, write);
                assert_eq!(said, super::edited(COPY, FROM), "{unedited:?}, {now:?}");
            }
        }
        for (unedited, now) in [(&["a"][..], ["b", "a"]), (&["a", "b"], ["c", "b"])] {
            let said = said(unedited, now, false);
            assert!(
                said.ends_with(&format!("run `{WRITE}`")),
                "{unedited:?}, {now:?}: {said}"
            );
        }
    }
}
