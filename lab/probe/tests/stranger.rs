//! What the watchdog says to those who don't have the course, and where it sends them.
//!
//! The program is copied and then started, which Linux refuses ("Text file busy") as long as any process has the copy open for
//! writing. A process that another test starts during the copy would inherit the open file, so this test has a binary to itself.

// Miri starts no programs.
#![cfg(not(miri))]

use std::{
    env, fs,
    process::{self, Command},
};

/// The program of the mistakes in a folder outside of the course.
#[test]
fn a_stranger_is_sent_to_the_readme_and_to_no_chapter() {
    let folder = env::temp_dir().join(format!("stranger-{}", process::id()));
    fs::create_dir(&folder).unwrap();
    let program = folder.join("hang");
    fs::copy(env!("CARGO_BIN_EXE_hang"), &program).unwrap();
    let said_to = |mistake: &str| {
        let mut command = Command::new(&program);
        let output = command.arg(mistake).current_dir(&folder).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        // Where the mistakes are, perhaps in a clone with such a name.
        let said = said.replace(env!("CARGO_MANIFEST_DIR"), "");
        let said = said.replace("lab/probe/", "");
        for word in ["probe", "chapter", "Poll to Tokio"] {
            assert!(!said.contains(word), "{said}");
        }
        assert!(
            said.contains("README.md#what-else-can-hang of why-pending"),
            "{said}"
        );
        assert!(
            said.contains("README.md#a-run-step-by-step of why-pending"),
            "{said}"
        );
        said
    };
    let said = said_to("waker-dropped-later");
    assert!(
        said.contains("read     README.md#what-is-dropped-too-early of why-pending"),
        "{said}"
    );
    let said = said_to("blocked");
    assert!(said.contains("put why_pending::Mutex"), "{said}");
    fs::remove_dir_all(folder).unwrap();
}
