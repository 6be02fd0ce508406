//! A file that a program writes, such as a table in the book. It is committed, and a test says if it is stale: if the
//! program would write something else by now.

use std::{fs, io, path::Path};

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
        let made = file.parent().map_or(Ok(()), fs::create_dir_all);
        let written = made.and_then(|()| fs::write(file, text));
        return written.map_err(|error| format!("{name}: {error}"));
    }
    match files::read(file) {
        Ok(there) => compare(&name, Some(&there), text, how),
        Err(error) if error.kind() == io::ErrorKind::NotFound => compare(&name, None, text, how),
        Err(error) => Err(error.to_string()),
    }
}

/// The same for a file of this name that has been read, or is not there.
///
/// # Errors
///
/// The complaint, in one line.
pub fn compare(name: &str, there: Option<&str>, text: &str, how: &str) -> Result<(), String> {
    match there {
        Some(there) if there == text => Ok(()),
        Some(there) => {
            let same = |(ours, theirs): &(&str, &str)| ours == theirs;
            let line = 1 + there.lines().zip(text.lines()).take_while(same).count();
            Err(format!("{name}:{line}: stale: run `{how}`"))
        }
        None => Err(format!("{name}: not there: run `{how}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_missing_or_stale_is_named_with_what_to_do() {
        let says = |there| compare("list.md", there, "a\nc\n", "make list").unwrap_err();
        assert_eq!(says(None), "list.md: not there: run `make list`");
        assert_eq!(says(Some("a\nb\n")), "list.md:2: stale: run `make list`");
        assert_eq!(compare("list.md", Some("a\nc\n"), "a\nc\n", ""), Ok(()));
    }
}
