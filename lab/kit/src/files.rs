//! The root of the project, text files, and the files in a folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use walkdir::WalkDir;

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
    match fs::read_to_string(file) {
        Ok(text) => Ok(text.replace("\r\n", "\n")),
        Err(error) => Err(io::Error::new(
            error.kind(),
            format!("{}: {error}", file.display()),
        )),
    }
}

/// The files in a folder and in all folders below it, in the order of their paths. Folders called `target`, where cargo
/// builds, are left out.
///
/// # Errors
///
/// If a folder cannot be read. The message names it.
pub fn below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let all = WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != "target");
    let mut files = Vec::new();
    for entry in all {
        let entry = entry?;
        if entry.file_type().is_file() {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

/// A path as it is written in a text: from `root`, with `/` between its parts.
pub fn shown(root: &Path, path: &Path) -> String {
    let from_root = path.strip_prefix(root).unwrap_or(path);
    from_root.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn files_come_in_order_with_their_lines_ended_alike_and_without_what_cargo_builds() {
        let folder = Scratch::new();
        let root = &folder.0;
        for name in ["b/c.txt", "a.txt", "target/d.txt"] {
            let file = root.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "one\r\ntwo\n").unwrap();
        }
        let files = below(root).unwrap();
        let names: Vec<_> = files.iter().map(|file| shown(root, file)).collect();
        assert_eq!(names, ["a.txt", "b/c.txt"]);
        assert_eq!(read(&files[0]).unwrap(), "one\ntwo\n");
    }

    #[test]
    fn an_error_names_what_is_missing() {
        let error = read(Path::new("nowhere.txt")).unwrap_err();
        assert!(error.to_string().starts_with("nowhere.txt: "), "{error}");
        let error = below(Path::new("nowhere")).unwrap_err();
        assert!(error.to_string().contains("nowhere"), "{error}");
    }
}
