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

/// Where the standard library lies is the machine's affair, and so is whether rustc can show its source.
fn without_library(message: &str) -> String {
    let (mut lines, mut in_library) = (String::new(), false);
    for line in message.lines() {
        let path = line.replace('\\', "/");
        if let Some((_, place)) = path
            .split_once("/library/")
            .filter(|it| it.0.contains("--> "))
        {
            in_library = true;
            lines += &format!("  --> library/{place}\n");
            continue;
        }
        let source = line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
        in_library &= source.starts_with('|') || source.starts_with("...");
        if !in_library {
            lines += &format!("{line}\n");
        }
    }
    lines
}
