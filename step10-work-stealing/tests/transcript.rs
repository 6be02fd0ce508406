//! What `cargo run -p step10-work-stealing` prints, and what it says to arguments.

// Miri starts no programs.
#![cfg(not(miri))]

use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_step10-work-stealing");

/// Nothing varies: what depends on the schedule is staged.
#[test]
fn the_demo_prints_this_and_ends() {
    kit::transcript::check("tests/transcript.txt", PROGRAM, &[]);
}

#[test]
fn an_argument_is_an_error_of_one_line() {
    for arguments in [&["nonsense"][..], &["--help"], &["1", "2"], &[""]] {
        let ran = Command::new(PROGRAM).args(arguments).output().unwrap();
        let (said, error) = (&ran.stdout, String::from_utf8_lossy(&ran.stderr));
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(said.is_empty() && error.starts_with("usage: "), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}
