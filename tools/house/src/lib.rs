//! # The rules of the house
//!
//! A stage can be read by itself: it depends on no other stage, and what it needs from an earlier one is *carried*,
//! the same file byte for byte. Such rules hold only as long as something fails when they are broken. Here are the
//! tests that do, and those that need several stages at once.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// The root of the project.
pub fn root() -> &'static Path {
    let lab = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    lab.and_then(Path::parent).expect("this crate is in tools/")
}

/// The names of the stages' folders, in the order of reading.
///
/// # Errors
///
/// If the root of the project cannot be read.
pub fn stages() -> io::Result<Vec<String>> {
    let mut stages = Vec::new();
    for entry in fs::read_dir(root())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("step") && entry.path().join("Cargo.toml").exists() {
            stages.push(name);
        }
    }
    stages.sort();
    Ok(stages)
}

/// The Rust files of a stage's `src`, by their path in it, with their text.
///
/// # Errors
///
/// If one of them cannot be read.
pub fn sources(stage: &str) -> io::Result<BTreeMap<PathBuf, String>> {
    let src = root().join(stage).join("src");
    let mut sources = BTreeMap::new();
    let mut folders = vec![src.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&src).expect("it is below src").to_owned();
                sources.insert(name, fs::read_to_string(&path)?);
            }
        }
    }
    Ok(sources)
}
