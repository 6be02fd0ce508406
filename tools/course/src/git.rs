//! What git knows of a file. Without git, or without a commit, it knows nothing.

use std::process::Command;

pub(crate) fn git(arguments: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    git.current_dir(kit::files::root()).args(arguments);
    let output = git.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

/// The text of a file in the last commit, if it is there.
pub(crate) fn committed(path: &str) -> Option<String> {
    git(&["show", &format!("HEAD:{path}")])
}
