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

/// The files in a folder and in all folders below it, in the order of their paths. Folders called `target`, where cargo
/// builds, are left out. Of a file, that file.
///
/// # Errors
///
/// If a folder cannot be read. The message names it.
pub fn below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if folder.is_file() {
        return Ok(vec![folder.to_owned()]);
    }
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

/// Copies the crates of the project to `to`, each file as `change` makes it of its path and its text. A file that is there
/// already and the same stays, so that cargo does not compile it again.
///
/// # Errors
///
/// If a file cannot be read or written.
pub fn copy_workspace(to: &Path, change: impl Fn(&str, String) -> String) -> io::Result<()> {
    let workspace = root();
    fs::create_dir_all(to)?;
    let mut old = below(to)?;
    for entry in fs::read_dir(&workspace)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let is_member = name.starts_with("step") || name == "lab" || name == "tools";
        if !is_member && !name.starts_with("Cargo.") {
            continue;
        }
        for from in below(&workspace.join(name))? {
            let path = shown(&workspace, &from);
            let (copy, text) = (to.join(&path), change(&path, read(&from)?));
            if !fs::read_to_string(&copy).is_ok_and(|there| there == text) {
                fs::create_dir_all(copy.parent().unwrap_or(to))?;
                fs::write(&copy, text)?;
            }
            old.retain(|file| *file != copy);
        }
    }
    old.iter().try_for_each(fs::remove_file)
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
mod tests {
    use super::*;

    #[test]
    fn files_come_in_order_with_their_folders() {
        let here = root().join("lab/kit");
        let files = below(&here).unwrap();
        let names: Vec<_> = files.iter().map(|file| shown(&here, file)).collect();
        assert_eq!(names[0], "Cargo.toml");
        assert!(names.contains(&"src/files.rs".to_owned()) && names.is_sorted());
    }

    #[test]
    fn an_error_names_what_is_missing() {
        let error = read(Path::new("nowhere.txt")).unwrap_err();
        assert!(error.to_string().starts_with("nowhere.txt: "), "{error}");
        let error = below(Path::new("nowhere")).unwrap_err();
        assert!(error.to_string().starts_with("nowhere: "), "{error}");
    }
}
