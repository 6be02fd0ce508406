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
    let there = files::read(file).map_err(|_| format!("{name}: not there: run `{how}`"))?;
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
    let check = |name, text| check(&files::root().join(name), text, false, "make list");
    let [missing, stale] = ["list.md", "Cargo.toml"].map(|name| check(name, "[workspace]\n"));
    let missing = missing.unwrap_err();
    assert_eq!(missing, "list.md: not there: run `make list`");
    let stale = stale.unwrap_err();
    assert_eq!(stale, "Cargo.toml:2: stale: run `make list`");
    let text = files::read(&files::root().join("Cargo.toml")).unwrap();
    assert_eq!(check("Cargo.toml", &text), Ok(()));
}
