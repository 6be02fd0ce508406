//! What an example of a stage prints. `cargo test` builds the examples of a package before it runs the tests.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::process::{self, Limits};

/// No example takes so long, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// The program of the example `name`, of the package whose test calls this.
///
/// # Panics
///
/// If it has not been built, as with `cargo test --test it`.
#[track_caller]
pub fn program(name: &str) -> PathBuf {
    let test = env::current_exe().expect("a test has a path"); // target/debug/deps/it-0123456789abcdef
    let folder = test.ancestors().nth(2).unwrap_or(Path::new("."));
    let program = folder.join(format!("examples/{name}{}", env::consts::EXE_SUFFIX));
    let missing = "is missing: run `cargo test` without `--test`, or with `--examples`";
    assert!(program.exists(), "{} {missing}", program.display());
    program
}

/// Runs `command`, and returns what it has printed.
///
/// # Panics
///
/// If it fails, or does not end within a minute.
#[track_caller]
pub fn printed(command: &mut Command) -> String {
    let ran = process::run(command, Limits::time(LIMIT)).expect("the program can be started");
    assert!(ran.end.is_success(), "it {}:\n{}", ran.end, ran.stderr);
    ran.stdout
}

/// Asserts that the example `name` prints `kept`, below the first line, which is the command.
///
/// # Panics
///
/// If it prints something else, or fails.
#[track_caller]
pub fn prints(name: &str, kept: &str) {
    let printed = printed(&mut Command::new(program(name)));
    let (_command, kept) = kept.split_once('\n').unwrap_or(("", ""));
    assert_eq!(printed, kept.replace("\r\n", "\n"), "printed, kept");
}
