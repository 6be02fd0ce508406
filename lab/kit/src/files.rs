//! The root of the project, text files, and the files in a folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The root of the project that this program was built in.
///
/// # Panics
///
/// If the project has been moved since, so that its root is no longer there.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.ancestors().nth(2).expect("this crate is lab/kit");
    assert!(
        root.join("Cargo.toml").exists(),
        "{} is not there any more: build this program again",
        root.display()
    );
    root.to_owned()
}

/// The text of a file, with `\n` at the ends of its lines, because git may write `\r\n` on Windows.
///
/// # Errors
///
/// If the file cannot be read or is not UTF-8. The message names it.
pub fn read(file: &Path) -> io::Result<String> {
    let text = fs::read_to_string(file).map_err(|error| named(file, &error))?;
    Ok(text.replace("\r\n", "\n"))
}

/// The number of the line in which this byte of a text is, counted from 1.
pub fn line(text: &str, byte: usize) -> usize {
    1 + text[..byte].matches('\n').count()
}

/// The files in a folder and in all folders below it, in the order of their paths. Folders called `target`, where cargo
/// builds, are left out, and so are links.
///
/// # Errors
///
/// If a folder cannot be read. The message names it.
pub fn below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let error = |error: io::Error| named(&folder, &error);
        for entry in fs::read_dir(&folder).map_err(error)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_file() {
                files.push(entry.path());
            } else if kind.is_dir() && entry.file_name() != "target" {
                folders.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// A path as it is written in a text: from `root`, with `/` between its parts.
pub fn shown(root: &Path, path: &Path) -> String {
    let from_root = path.strip_prefix(root).unwrap_or(path);
    from_root.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
#[test]
fn files_come_in_order_and_an_error_names_what_is_missing() {
    let files = below(&root().join("lab/kit")).unwrap();
    assert_eq!(shown(&root(), &files[0]), "lab/kit/Cargo.toml");
    let nowhere = Path::new("nowhere");
    for error in [read(nowhere).unwrap_err(), below(nowhere).unwrap_err()] {
        assert!(error.to_string().starts_with("nowhere: "), "{error}");
    }
}
