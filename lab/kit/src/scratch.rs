//! A folder for one test.

use std::{
    env, fs,
    path::PathBuf,
    process,
    sync::atomic::{AtomicUsize, Ordering},
};

static FOLDERS: AtomicUsize = AtomicUsize::new(0);

/// An empty folder, which goes when this is dropped.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new() -> Scratch {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("poll-to-tokio-kit-{}-{number}", process::id()));
        fs::create_dir(&folder).expect("a name that no other process uses");
        Scratch(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // On Windows a file that is open cannot be removed. What is left is in the folder for such things.
        let _ = fs::remove_dir_all(&self.0);
    }
}
