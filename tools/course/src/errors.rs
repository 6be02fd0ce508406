//! The compiler's own messages, for programs that must not compile.

use std::{fs, io, process::Command, time::Duration};

use kit::process::{self, Limits};

use crate::Project;

/// Where the programs are, each with its message beside it.
pub const FOLDER: &str = "tools/course/errors/";

const VERSION: &str = "tools/course/errors/VERSION";

/// rustc takes a second.
fn limits() -> Limits {
    Limits::time(Duration::from_secs(60))
}

/// The code of the first error of a message.
pub fn code(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once("error[")?;
    rest.split(']').next()
}

/// Compiles each program, and compares the message with the one beside it: word by word if rustc is the one that
/// `VERSION` names, otherwise the error's code alone. With `write`, writes the messages and the version instead.
///
/// # Errors
///
/// If rustc cannot be started.
pub fn complaints(project: &Project, write: bool) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let version = process::run(Command::new("rustc").arg("--version"), limits())?.stdout;
    let exact = write || project.text(VERSION) == Some(&version);
    let mut check = |path: &str, text: &str| {
        let how = "cargo run -p course -- --errors";
        found.extend(project.written(path, text, write, how));
    };
    if write {
        check(VERSION, &version);
    }
    for (program, text) in project.with(FOLDER, ".rs") {
        let path = program.replace(".rs", ".stderr");
        let message = message(&program[FOLDER.len()..], text)?;
        // Not every error has a code, so a program that compiles must be told from one whose error has none.
        let fails = message.contains("error");
        if exact || !fails || code(&message) != project.text(&path).and_then(code) {
            check(&path, &message);
        }
    }
    Ok(found)
}

/// What rustc says to this program, without the count of errors at its end.
fn message(name: &str, program: &str) -> io::Result<String> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join(name), program)?;
    let options = "--edition 2024 --crate-type lib --emit metadata --color never";
    let mut rustc = Command::new("rustc");
    rustc
        .args(options.split(' '))
        .arg(name)
        .current_dir(folder.path());
    let message = process::run(&mut rustc, limits())?.stderr;
    let message = message
        .split("\nerror: aborting")
        .next()
        .unwrap_or_default();
    Ok(without_library(message).trim_end().to_owned() + "\n")
}

/// Where the standard library lies is the machine's affair, and so is whether rustc can show its source. If it can, all line
/// numbers have the width of those of the library.
fn without_library(message: &str) -> String {
    let (mut lines, mut in_library) = (Vec::new(), false);
    for line in message.lines() {
        let path = line.replace('\\', "/");
        let place = path.split_once("--> ");
        if let Some((indent, (_, place))) =
            place.and_then(|(indent, path)| Some((indent, path.split_once("/library/")?)))
        {
            in_library = true;
            let file = place.split(':').next().unwrap_or_default();
            lines.push(format!("{indent}--> library/{file}"));
            continue;
        }
        let source = line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
        in_library &= source.starts_with('|') || source.starts_with("...");
        if !in_library {
            lines.push(line.to_owned());
        }
    }
    let arrows = lines.iter().filter_map(|line| line.find("--> "));
    let widths = lines.iter().filter_map(|line| {
        let (number, _) = line.trim_start().split_once(" |")?;
        number.parse::<u32>().ok().map(|_| number.len())
    });
    let extra = (arrows.min().unwrap_or(0)).saturating_sub(widths.max().unwrap_or(0));
    let extra = " ".repeat(extra);
    let narrow = lines
        .iter()
        .map(|line| line.strip_prefix(&extra).unwrap_or(line));
    narrow.map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_the_source_of_the_library_and_without_it_the_message_is_the_same() {
        let with = "error[E0277]: it cannot be unpinned
    --> a.rs:12:27
     |
  12 |     Pin::new(&mut nap)
     |     -------- ^^^^^^^^
     |
     = note: consider using `pin!`
             or `Box::pin`
note: required by a bound in `Pin::new`
    --> /home/me/.rustup/lib/rustlib/src/rust/library/core/src/pin.rs:1159:25
     |
1159 | impl<Ptr: Deref<Target: Unpin>> Pin<Ptr> {
     |                         ^^^^^ required by this bound in `Pin::<Ptr>::new`
...
1181 |     pub const fn new(pointer: Ptr) -> Pin<Ptr> {
     |                  --- required by a bound in this associated function
";
        let without = "error[E0277]: it cannot be unpinned
  --> a.rs:12:27
   |
12 |     Pin::new(&mut nap)
   |     -------- ^^^^^^^^
   |
   = note: consider using `pin!`
           or `Box::pin`
note: required by a bound in `Pin::new`
  --> /rustc/0123456789/library/core/src/pin.rs:1181:4
";
        let message = without
            .replace("/rustc/0123456789/", "")
            .replace(":1181:4", "");
        assert_eq!(without_library(with), message);
        assert_eq!(without_library(without), message);
    }
}
