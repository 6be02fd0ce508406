//! A part of a file may be carried where the whole file can't be, because a later stage changes what is around the part. In the later
//! file it is between `// ANCHOR: carried-NAME` and its end, and it is the same, byte for byte, as the part `NAME` of the latest file of
//! that name in an earlier stage that has one.

use std::{collections::HashMap, fs, sync::LazyLock};

use regex::Regex;

use crate::{Project, derived::WRITE, pages::regex};

/// Which carried parts differ from what they are copies of. With `write`, copies those again, and says what can't be.
pub fn stale(project: &Project, write: bool) -> Vec<String> {
    let mut found = Vec::new();
    // The parts of the stages so far, by the name of their file and their own.
    let mut earlier: HashMap<(&str, &str), Part<'_>> = HashMap::new();
    for stage in &project.stages {
        let src = format!("{}/src/", stage.name);
        let files = project.with(&src, ".rs");
        let own: Vec<_> = files.filter(|it| !it.0.contains("/carried/")).collect();
        for (path, text) in &own {
            // The file as it is to be: what is before each part that differs, the part as it is to be, and the rest.
            let (mut mended, mut done) = (String::new(), 0);
            for part in parts(path, text) {
                let Some(name) = part.name.strip_prefix("carried-") else {
                    continue;
                };
                match earlier.get(&(file_name(path), name)) {
                    Some(from) if from.text == part.text => {}
                    Some(from) if write => {
                        mended += &text[done..part.begin];
                        mended += from.text;
                        done = part.begin + part.text.len();
                    }
                    Some(from) => {
                        let same = |(ours, theirs): &(&str, &str)| ours == theirs;
                        let lines = part.text.lines().zip(from.text.lines());
                        let count = lines.take_while(same).count();
                        let [here, there] = [&part, from].map(|it| it.line(count));
                        found.push(format!("{here}: is no copy of {there}: run `{WRITE}`"));
                    }
                    None => found.push(format!(
                        "{}: no earlier stage has a {} with `ANCHOR: {name}`: name the part that it is a copy of",
                        part.line(0),
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
            let parts = parts(path, text).into_iter();
            earlier.extend(parts.map(|it| ((file_name(path), it.name), it)));
        }
    }
    found
}

/// What is between an anchor and its end.
struct Part<'a> {
    path: &'a str,
    name: &'a str,
    file: &'a str,
    begin: usize,
    text: &'a str,
}

impl Part<'_> {
    /// The path, and the number of this part's line, counted from 0.
    fn line(&self, number: usize) -> String {
        let before = self.file[..self.begin].lines().count();
        format!("{}:{}", self.path, before + 1 + number)
    }
}

static BEGIN: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^ *// ANCHOR: ([\w-]+)\n"));

/// The parts of a file, in their order.
fn parts<'a>(path: &'a str, file: &'a str) -> Vec<Part<'a>> {
    let part = |it: regex::Captures<'a>| {
        let (begin, name) = (it.get_match().end(), it.get(1)?.as_str());
        let end = regex(&format!("(?m)^ *// ANCHOR_END: {name}$")).find_at(file, begin)?;
        let text = &file[begin..end.start()];
        Some(Part {
            path,
            name,
            file,
            begin,
            text,
        })
    };
    BEGIN.captures_iter(file).filter_map(part).collect()
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
