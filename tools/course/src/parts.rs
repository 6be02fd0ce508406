//! A part of a file may be carried where the whole file can't be, because a later stage changes what is around the part. In the later
//! file it is between `// ANCHOR: carried-NAME` and its end, and it is the same, byte for byte, as the part `NAME` of the latest file of
//! that name in an earlier stage that has one. A mark of a stage that belongs to no part is told here, too: it is misspelt.

use std::collections::HashMap;

use kit::anchor::{self, Part};

use crate::{Project, carried::edited, derived::WRITE, made};

/// Which carried parts differ from what they are copies of. With `write`, copies those again, and says what can't be. One that
/// somebody has edited stays as it is.
pub fn stale(project: &Project, write: bool) -> Vec<String> {
    stale_but(project, made::texts, write)
}

/// The same, with the texts that a file has had without an edit of its copies.
fn stale_but(
    project: &Project,
    unedited: impl Fn(&str) -> Vec<String>,
    write: bool,
) -> Vec<String> {
    let mut found = Vec::new();
    // The parts of the stages so far, by the name of their file and their own.
    let mut earlier: HashMap<(&str, &str), InFile<'_>> = HashMap::new();
    for stage in &project.stages {
        let src = format!("{}/src/", stage.name);
        let files = project.with(&src, ".rs");
        let own: Vec<_> = files
            .filter(|(path, _)| !path.contains("/carried/"))
            .collect();
        for (path, text) in &own {
            for (line, fault) in anchor::faults(text) {
                found.push(format!("{path}:{}: the file {fault}", line + 1));
            }
            // The copies that are to be made again: what each is, and what it is to be.
            let mut copies: Vec<(Part<'_>, &str)> = Vec::new();
            for here in parts(path, text) {
                let Some(name) = here.part.name.strip_prefix("carried-") else {
                    continue;
                };
                let Some(from) = earlier.get(&(file_name(path), name)) else {
                    found.push(format!(
                        "{}: no earlier stage has a {} with `ANCHOR: {name}`: name the part that it is a copy of",
                        here.line(0),
                        file_name(path),
                    ));
                    continue;
                };
                if from.part.text == here.part.text {
                    continue;
                }
                let is_it = |old: &String| {
                    anchor::part(old, here.part.name).is_ok_and(|old| old.text == here.part.text)
                };
                if !unedited(path).iter().any(is_it) {
                    let [here, there] = here.first_difference(from);
                    found.push(edited(&here, &there));
                } else if write {
                    copies.push((here.part, from.part.text));
                } else {
                    found.push(here.differs(from));
                }
            }
            if !copies.is_empty() {
                let written = made::write(path, &with(text, copies));
                found.extend(written.err().map(|error| format!("{path}: {error}")));
            }
        }
        for (path, text) in own {
            for there in parts(path, text) {
                earlier.insert((file_name(path), there.part.name), there);
            }
        }
    }
    found
}

/// A file in which these parts have other texts. They are in the order of the file.
fn with(file: &str, copies: Vec<(Part<'_>, &str)>) -> String {
    let mut text = file.to_owned();
    // From the last on, so that the parts before it stay where they are.
    for (part, becomes) in copies.into_iter().rev() {
        text.replace_range(part.begin..part.begin + part.text.len(), becomes);
    }
    text
}

/// A part, and the file that has it.
struct InFile<'a> {
    path: &'a str,
    file: &'a str,
    part: Part<'a>,
}

impl InFile<'_> {
    /// The path, and the number of this part's line, counted from 0.
    fn line(&self, number: usize) -> String {
        let before = self.file[..self.part.begin].lines().count();
        format!("{}:{}", self.path, before + 1 + number)
    }

    /// What there is to say of a copy that is not what it is to be.
    fn differs(&self, from: &InFile<'_>) -> String {
        let [here, there] = self.first_difference(from);
        format!("{here}: is no copy of {there}: run `{WRITE}`")
    }

    /// The first lines in which the two differ.
    fn first_difference(&self, from: &InFile<'_>) -> [String; 2] {
        let same = |(ours, theirs): &(&str, &str)| ours == theirs;
        let lines = self.part.text.lines().zip(from.part.text.lines());
        let count = lines.take_while(same).count();
        [self, from].map(|part| part.line(count))
    }
}

/// The parts of a file, in their order.
fn parts<'a>(path: &'a str, file: &'a str) -> impl Iterator<Item = InFile<'a>> {
    let parts = anchor::parts(file).into_iter();
    parts.map(move |part| InFile { path, file, part })
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a carried part that was `a` before an edit, when its source and it are these now.
    fn said([from, copy]: [&str; 2], write: bool) -> String {
        let file =
            |name: &str, text: &str| format!("// ANCHOR: {name}\n{text}\n// ANCHOR_END: {name}\n");
        let files = [
            ("step01-x/Cargo.toml", String::new()),
            ("step01-x/src/x.rs", file("x", from)),
            ("step02-y/Cargo.toml", String::new()),
            ("step02-y/src/x.rs", file("carried-x", copy)),
            ("exercises/info.toml", "exercises = []".to_owned()),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text));
        let project = Project::of(files.into()).expect("it can be parsed");
        let unedited = |path: &str| {
            assert_eq!(path, "step02-y/src/x.rs");
            vec![file("carried-x", "a")]
        };
        stale_but(&project, unedited, write).join("\n")
    }

    #[test]
    fn an_edited_part_is_told_and_never_overwritten() {
        let edited = edited("step02-y/src/x.rs:2", "step01-x/src/x.rs:2");
        // The copy was edited, and its source, too.
        for now in [["a", "b"], ["b", "c"]] {
            for write in [false, true] {
                assert_eq!(said(now, write), edited);
            }
        }
        assert!(said(["b", "a"], false).ends_with(&format!("run `{WRITE}`")));
    }

    #[test]
    fn each_part_is_copied_where_it_is() {
        let file = "// ANCHOR: x\na\nb\n// ANCHOR_END: x\nc\n// ANCHOR: y\nd\n// ANCHOR_END: y\n";
        let [x, y] = ["x", "y"].map(|name| anchor::part(file, name).unwrap());
        let expected =
            "// ANCHOR: x\n1\n// ANCHOR_END: x\nc\n// ANCHOR: y\n2\n3\n// ANCHOR_END: y\n";
        assert_eq!(with(file, vec![(x, "1\n"), (y, "2\n3\n")]), expected);
    }
}
