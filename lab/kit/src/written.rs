//! A file that a program writes, such as a table in the book. It is committed, and a test says if it is stale: if the
//! program would write something else by now.

use std::{fs, path::Path};

use crate::files;

/// Compares a file with the text that belongs in it. With `write`, writes that text instead.
///
/// A test calls it without `write`, and a program when it is run with `--write`. `how` is that program's command, which
/// the complaint names.
///
/// # Errors
///
/// The complaint, in one line: the file, what is wrong, and what to do. Or why the file cannot be written.
pub fn check(file: &Path, text: &str, write: bool, how: &str) -> Result<(), String> {
    let name = files::shown(&files::root(), file);
    if write {
        return fs::write(file, text).map_err(|error| format!("{name}: {error}"));
    }
    compare(&name, files::read(file).ok().as_deref(), text, how)
}

/// The same for a file of this name that has been read, or is not there.
///
/// # Errors
///
/// The complaint, in one line.
pub fn compare(name: &str, there: Option<&str>, text: &str, how: &str) -> Result<(), String> {
    let there = there.ok_or_else(|| format!("{name}: not there: run `{how}`"))?;
    let same = |(ours, theirs): &(&str, &str)| ours == theirs;
    let line = 1 + there.lines().zip(text.lines()).take_while(same).count();
    if there == text {
        return Ok(());
    }
    Err(format!("{name}:{line}: stale: run `{how}`"))
}

#[cfg(test)]
#[test]
fn a_file_that_is_missing_or_stale_is_named_with_what_to_do() {
    let says = |there| compare("list.md", there, "a\nc\n", "make list").unwrap_err();
    assert_eq!(says(None), "list.md: not there: run `make list`");
    assert_eq!(says(Some("a\nb\n")), "list.md:2: stale: run `make list`");
    assert_eq!(compare("list.md", Some("a\nc\n"), "a\nc\n", ""), Ok(()));
}
