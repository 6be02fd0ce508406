//! Files and lines.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The text of a file, with the ends of lines as on Unix: git may have written it otherwise.
pub(crate) fn read(file: &Path) -> io::Result<String> {
    Ok(fs::read_to_string(file)?.replace("\r\n", "\n"))
}

/// The number of the line in which this byte is, counted from 1.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset]
        .iter()
        .filter(|b| **b == b'\n')
        .count()
}

/// Every file below a folder whose name ends so, sorted. None if there is no such folder.
pub(crate) fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else {
            continue;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() && name != "target" {
                folders.push(path);
            } else if name.ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A path as it is written in the book: with slashes, from the root if it is below it.
pub(crate) fn shown(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}

/// A path without its `..`, which need not exist.
pub(crate) fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                clean.pop();
            }
            std::path::Component::CurDir => {}
            part => clean.push(part),
        }
    }
    clean
}
