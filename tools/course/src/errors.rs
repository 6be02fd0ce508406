//! The compiler's own messages, for programs that must not compile.

use std::{fs, io, process::Command};

use crate::Project;

/// Where the programs are, each with its message beside it.
pub const FOLDER: &str = "tools/course/errors/";

const VERSION: &str = "tools/course/errors/VERSION";

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
    let version = Command::new("rustc").arg("--version").output()?.stdout;
    let version = String::from_utf8_lossy(&version).into_owned();
    let exact = project.text(VERSION) == Some(&version);
    let mut texts = Vec::new();
    if write {
        texts.push((VERSION.to_owned(), version));
    }
    for (program, text) in project.with(FOLDER, ".rs") {
        let path = program.replace(".rs", ".stderr");
        let message = message(&program[FOLDER.len()..], text)?;
        // Not every error has a code, so a program that compiles must be told from one whose error has none.
        let fails = message.contains("error");
        let there = project.text(&path).unwrap_or_default();
        // Where the source of the library is installed, all line numbers are as wide as those in it.
        let is_same = there.split_whitespace().eq(message.split_whitespace());
        let is_wrong = !fails || code(&message) != code(there);
        if write || is_wrong || exact && !is_same {
            texts.push((path, message));
        }
    }
    let how = "cargo run -p course -- --errors";
    let found = texts.iter();
    let found = found.filter_map(|(path, text)| project.written(path, text, write, how));
    Ok(found.collect())
}

/// What rustc says to this program, without the count of errors at its end. A note on the standard library is left out
/// too, because where its source is installed the note shows it.
fn message(name: &str, program: &str) -> io::Result<String> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join(name), program)?;
    let options = "--edition 2024 --crate-type lib --emit metadata --color never";
    let mut rustc = Command::new("rustc");
    let rustc = rustc.args(options.split(' ')).arg(name);
    let message = rustc.current_dir(folder.path()).output()?.stderr;
    let message = String::from_utf8_lossy(&message).replace("\r\n", "\n");
    let message = message
        .split("\nerror: aborting")
        .next()
        .unwrap_or_default();
    let notes = message.split("\nnote: ");
    let notes: Vec<&str> = notes.filter(|it| !it.contains("/library/")).collect();
    Ok(notes.join("\nnote: ").trim_end().to_owned() + "\n")
}
