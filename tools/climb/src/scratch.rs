//! A folder in which programs are built, for gigabytes: one process at a time works there, and it can be emptied.

use std::{
    fs::{self, File},
    io::{self, Write},
    mem,
    path::{Path, PathBuf},
};

use fd_lock::RwLock;
use kit::files;

use crate::Error;

/// With this file in it, a folder is ours. Programs that make backups leave such a folder out.
const MARK: &str = "CACHEDIR.TAG";
const MARKED: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
    # Poll to Tokio builds what learners wrote here. `cargo run -p grade --bin clean` empties it.\n";
const LOCK: &str = "lock";
/// What is there from when it is entered on.
pub(crate) const FILES: [&str; 2] = [MARK, LOCK];
/// A compiler, its linker and what they write have room in so many bytes.
const ROOM: usize = 64 << 20;

/// Waits until no other process works in this folder, and makes it if it isn't there. Without a folder, it is this one in `target` of the
/// course.
///
/// # Errors
///
/// If it can't be written, or holds files that this crate did not put there.
pub fn enter(folder: Option<PathBuf>, own: &str) -> Result<PathBuf, Error> {
    let is_named = folder.is_some();
    let folder = folder.unwrap_or_else(|| default(own));
    let folder = std::path::absolute(folder)?;
    fs::create_dir_all(&folder)?;
    if !is_marked(&folder) {
        if is_named && fs::read_dir(&folder)?.next().is_some() {
            let what = "is not empty, and is no folder to build in: name another one";
            return Err(format!("{} {what}", folder.display()).into());
        }
        fs::write(folder.join(MARK), MARKED)?;
    }
    // Held to the end of the process, which enters one such folder.
    let lock = Box::leak(Box::new(RwLock::new(File::create(folder.join(LOCK))?)));
    mem::forget(lock.write()?);
    Ok(folder)
}

/// Sees whether there is room on the disk. Without it a compiler fails, and what it says of an answer is not the answer's fault.
///
/// # Errors
///
/// If there is none.
pub fn has_room(folder: &Path) -> Result<(), Error> {
    let path = folder.join("room");
    let zeros = vec![0; ROOM];
    let written = File::create(&path).and_then(|mut file| file.write_all(&zeros));
    let removed = fs::remove_file(&path);
    written.and(removed).map_err(|error| {
        let what = "there is no room to compile, so nothing is graded. `clean` frees what earlier answers take";
        format!("{}: {error}: {what}", folder.display()).into()
    })
}

/// The folder of this name in `target` of the course.
pub fn default(own: &str) -> PathBuf {
    files::root().join("target").join(own)
}

fn is_marked(folder: &Path) -> bool {
    fs::read_to_string(folder.join(MARK)).is_ok_and(|text| text == MARKED)
}

/// Empties such a folder, and returns how many bytes that has freed.
///
/// # Errors
///
/// If it isn't one, if a process works in it, or if something can't be deleted.
pub fn empty(folder: &Path) -> Result<u64, Error> {
    if !is_marked(folder) {
        let what = "the grader has not made it, so it stays as it is";
        return Err(format!("{}: {what}", folder.display()).into());
    }
    let mut lock = RwLock::new(File::create(folder.join(LOCK))?);
    let in_use = |_| format!("{}: a program is at work there", folder.display());
    let held = lock.try_write().map_err(in_use)?;
    let mut freed = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (name, path) = (entry.file_name(), entry.path());
        if FILES.iter().any(|file| name == *file) {
            continue;
        }
        freed += size(&path)?;
        match path.symlink_metadata()?.is_dir() {
            true => fs::remove_dir_all(&path),
            false => fs::remove_file(&path),
        }
        .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    drop(held);
    Ok(freed)
}

/// How much a file or a folder takes. Cargo gives a program two names, and a link doesn't take what it leads to.
fn size(path: &Path) -> io::Result<u64> {
    let metadata = path.symlink_metadata()?;
    if !metadata.is_dir() {
        return Ok(metadata.len() / names(&metadata));
    }
    let mut all = 0;
    for entry in fs::read_dir(path)? {
        all += size(&entry?.path())?;
    }
    Ok(all)
}

#[cfg(unix)]
fn names(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata).max(1)
}

#[cfg(not(unix))]
fn names(_: &fs::Metadata) -> u64 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_built_is_deleted_and_what_somebody_else_made_is_not() {
        let place = tempfile::TempDir::new().unwrap();
        let busy = enter(Some(place.path().join("busy")), "").unwrap();
        fs::write(busy.join("a"), "").unwrap();
        // This process holds its lock.
        let error = empty(&busy).unwrap_err().to_string();
        assert!(
            error.ends_with("busy: a program is at work there"),
            "{error}"
        );
        assert!(busy.join("a").exists());

        let ours = place.path().join("ours");
        let built = ours.join("build/debug");
        fs::create_dir_all(&built).unwrap();
        fs::write(ours.join(MARK), MARKED).unwrap();
        fs::write(built.join("a"), [0; 1000]).unwrap();
        fs::hard_link(built.join("a"), built.join("b")).unwrap();
        assert_eq!(empty(&ours).unwrap(), if cfg!(unix) { 1000 } else { 2000 });
        let left = files::below(&ours).unwrap();
        assert_eq!(left, [ours.join(MARK), ours.join(LOCK)]);
        assert!(!ours.join("build").exists());

        let theirs = place.path().join("theirs");
        fs::create_dir_all(&theirs).unwrap();
        // Cargo marks its own folders in the same way.
        fs::write(
            theirs.join(MARK),
            "Signature: 8a477f597d28d172789f06886806bc55\n",
        )
        .unwrap();
        let error = empty(&theirs).unwrap_err().to_string();
        assert!(
            error.ends_with("theirs: the grader has not made it, so it stays as it is"),
            "{error}"
        );
        let error = enter(Some(theirs.clone()), "").unwrap_err().to_string();
        assert!(error.contains("theirs is not empty"), "{error}");
        assert_eq!(files::below(&theirs).unwrap(), [theirs.join(MARK)]);
        assert!(empty(&place.path().join("nowhere")).is_err());
    }
}
