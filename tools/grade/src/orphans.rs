//! What a test has started, and left behind.

/// On Linux, makes this process the parent of those that its children leave behind, for [`end`].
pub(crate) fn adopt() {
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// On Linux, kills what children have left behind in this process, which calls [`adopt`] first. It has left
/// the group of the program that started it, or that program led none. No other child may be running.
pub(crate) fn end() {
    #[cfg(target_os = "linux")]
    loop {
        use nix::{sys::signal, sys::wait::waitpid, unistd::Pid};
        let own = std::process::id().to_string();
        let ids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let orphans = ids.filter_map(|entry| {
            let id = entry.file_name().to_str()?.parse().ok()?;
            // After the name, in parentheses: its state, and its parent.
            let state = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            let parent = state.rsplit(')').next()?.split(' ').nth(2)?;
            (parent == own).then_some(Pid::from_raw(id))
        });
        let orphans: Vec<_> = orphans.collect();
        if orphans.is_empty() {
            return;
        }
        for orphan in orphans {
            let _ = signal::kill(orphan, signal::Signal::SIGKILL);
            let _ = waitpid(orphan, None);
        }
    }
}
