//! The compiler's own messages, for programs that must not compile.

use std::{fs, io, path::Path, process::Command, sync::LazyLock};

use regex::Regex;

use crate::{
    Complaint,
    text::{files_below, read, shown},
};

/// Where the programs and their messages are, from the root.
pub const ERRORS: &str = "tools/course/errors";

static CODE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^error\[(E\d{4})\]").expect("it is a regex"));

/// The code of the first error of a message.
pub fn code(message: &str) -> Option<&str> {
    CODE.captures(message)?.get(1).map(|it| it.as_str())
}

/// Compiles each program, and says what differs from the message beside it.
///
/// # Errors
///
/// If rustc cannot be started, or a file not be read.
pub fn complaints(root: &Path) -> io::Result<Vec<Complaint>> {
    let mut found = Vec::new();
    let mut version = read(&root.join(ERRORS).join("VERSION"))?;
    version.truncate(version.trim_end().len());
    let exact = rustc_version()? == version;
    for program in files_below(&root.join(ERRORS), ".rs") {
        let committed = read(&program.with_extension("stderr")).unwrap_or_default();
        let real = message(&program)?;
        let says = if code(&real).is_none() {
            Some("this compiles, and must not: mend it".to_owned())
        } else if code(&real) != code(&committed) {
            let (real, committed) = (code(&real), code(&committed).unwrap_or("none"));
            let real = real.unwrap_or("none");
            Some(format!(
                "rustc says {real}, and the message beside it {committed}: write the messages again"
            ))
        } else if exact && real != committed {
            let lines = (1..).zip(real.lines().zip(committed.lines()));
            let (line, ..) = lines
                .clone()
                .find(|(_, (a, b))| a != b)
                .unwrap_or((1, ("", "")));
            Some(format!(
                "rustc {version} says something else than line {line} of the message beside it: write the messages again"
            ))
        } else {
            None
        };
        found.extend(says.map(|says| Complaint::new(&shown(root, &program), 1, says)));
    }
    Ok(found)
}

/// Writes the messages of this rustc, and its version.
///
/// # Errors
///
/// If rustc cannot be started, or a file not be written.
pub fn overwrite(root: &Path) -> io::Result<()> {
    fs::write(root.join(ERRORS).join("VERSION"), rustc_version()? + "\n")?;
    for program in files_below(&root.join(ERRORS), ".rs") {
        fs::write(program.with_extension("stderr"), message(&program)?)?;
    }
    Ok(())
}

fn rustc_version() -> io::Result<String> {
    let output = Command::new("rustc").arg("--version").output()?;
    let version = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(version
        .split_whitespace()
        .nth(1)
        .unwrap_or_default()
        .to_owned())
}

/// What rustc says to this program, without the count of errors at its end.
fn message(program: &Path) -> io::Result<String> {
    let out = tempfile::tempdir()?;
    let name = program.file_name().unwrap_or_default();
    let output = Command::new("rustc")
        .args([
            "--edition",
            "2024",
            "--crate-type",
            "lib",
            "--emit",
            "metadata",
            "--color",
            "never",
        ])
        .arg("--out-dir")
        .arg(out.path())
        .arg(name)
        .current_dir(program.parent().unwrap_or(Path::new(".")))
        .output()?;
    let message = String::from_utf8_lossy(&output.stderr).replace("\r\n", "\n");
    let end = message.find("\nerror: aborting").unwrap_or(message.len());
    Ok(without_library(&message[..end]).trim_end().to_owned() + "\n")
}

/// Where the standard library lies is the machine's affair, and so is whether rustc can show its source.
fn without_library(message: &str) -> String {
    let mut lines = Vec::new();
    let mut in_library = false;
    for line in message.lines() {
        let place = line.trim_start().strip_prefix("--> ");
        if let Some(place) = place {
            let place = place.replace('\\', "/");
            if let Some((_, place)) = place.split_once("/library/") {
                in_library = true;
                lines.push(format!("  --> library/{place}"));
                continue;
            }
        }
        let rest = line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
        in_library &= rest.starts_with('|') || rest.starts_with("...");
        if !in_library {
            lines.push(line.to_owned());
        }
    }
    lines.join("\n")
}
