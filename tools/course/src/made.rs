//! What this program knows of a copy: the text in the last commit, and the one that it wrote last. Any other text was edited.

use std::{fs, io, path::PathBuf};

use crate::git;

/// Where the texts are that were written last.
fn remembered(path: &str) -> PathBuf {
    let root = kit::files::root();
    root.join("target/course-wrote").join(path)
}

/// The texts that a file has had without an edit.
pub(crate) fn texts(path: &str) -> Vec<String> {
    let committed = git::committed(path).into_iter();
    committed
        .chain(fs::read_to_string(remembered(path)))
        .collect()
}

/// Writes a copy, and remembers it: until it is committed, the next change of its source is copied, too.
pub(crate) fn write(path: &str, text: &str) -> io::Result<()> {
    fs::write(kit::files::root().join(path), text)?;
    let remembered = remembered(path);
    if let Some(folder) = remembered.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(remembered, text)
}
