//! A part of a file may be carried where the whole file can't be, because a later stage changes what is around the part. In the later
//! file it is between `// ANCHOR: carried-NAME` and its end, and it is the same, byte for byte, as the part `NAME` of the latest file of
//! that name in an earlier stage that has one. A mark of a stage that belongs to no part is told here, too: it is misspelt.

use std::{collections::HashMap, fs};

use kit::anchor::{self, Part};

use crate::{Project, carried::edited, derived::WRITE, git};

/// Which carried parts differ from what they are copies of. With `write`, copies those again, and says what can't be. One that
/// somebody has edited stays as it is.
pub fn stale(project: &Project, write: bool) -> Vec<String> {
    stale_since(project, git::committed, write)
}

/// The same, with the text that a file had in the last commit.
fn stale_since(
    project: &Project,
    committed: impl Fn(&str) -> Option<String>,
    write: bool,
) -> Vec<String> {
    // The text of a part as it was.
    let before = |path: &str, name: &str| {
        let file = committed(path)?;
        let part = anchor::parts(&file)
            .into_iter()
            .find(|part| part.name == name)?;
        Some(part.text.to_owned())
    };
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
            // The file as it is to be: what is before each part that differs, the part as it is to be, and the rest.
            let (mut mended, mut done) = (String::new(), 0);
            for here in parts(path, text) {
                let Some(name) = here.part.name.strip_prefix("carried-") else {
                    continue;
                };
                let (begin, old) = (here.part.begin, here.part.text);
                match earlier.get(&(file_name(path), name)) {
                    Some(from) if from.part.text == old => {}
                    // Its source is as it was, so the difference was made in the copy.
                    Some(from)
                        if before(path, here.part.name).is_some_and(|text| text != old)
                            && before(from.path, name).as_deref() == Some(from.part.text) =>
                    {
                        found.push(edited(&here.line(0), &from.line(0)));
                    }
                    Some(from) if write => {
                        mended += &text[done..begin];
                        mended += from.part.text;
                        done = begin + old.len();
                    }
                    Some(from) => {
                        let same = |(ours, theirs): &(&str, &str)| ours == theirs;
                        let lines = old.lines().zip(from.part.text.lines());
                        let count = lines.take_while(same).count();
                        let [here, there] = [&here, from].map(|part| part.line(count));
                        found.push(format!("{here}: is no copy of {there}: run `{WRITE}`"));
                    }
                    None => found.push(format!(
                        "{}: no earlier stage has a {} with `ANCHOR: {name}`: name the part that it is a copy of",
                        here.line(0),
                        file_name(path),
                    )),
                }
            }
            if done > 0 {
                mended += &text[done..];
                let written = fs::write(kit::files::root().join(path), mended);
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

    /// What is said of a carried part that is `a` in the last commit, as its source is, when they are these now.
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
        let committed = |path: &str| {
            let is_copy = path.starts_with("step02");
            Some(file(if is_copy { "carried-x" } else { "x" }, "a"))
        };
        stale_since(&project, committed, write).join("\n")
    }

    #[test]
    fn an_edited_part_is_told_and_never_overwritten() {
        let edited = "step02-y/src/x.rs:2: you edited a copy of step01-x/src/x.rs:2: edit step01-x/src/x.rs:2";
        for write in [false, true] {
            assert_eq!(said(["a", "b"], write), edited);
        }
        assert!(said(["b", "a"], false).contains("is no copy"));
        assert!(said(["b", "c"], false).contains("is no copy"));
    }
}
