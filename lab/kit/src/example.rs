//! The examples of a stage, which `cargo test` builds before it runs the stage's tests.

use std::{env, path::Path};

/// The program of the example `name`, of the package whose test calls this.
///
/// # Panics
///
/// If it has not been built, as with `cargo test --test it`.
#[track_caller]
pub fn program(name: &str) -> String {
    let test = env::current_exe().expect("a test has a path"); // target/debug/deps/it-0123456789abcdef
    let folder = test.ancestors().nth(2).unwrap_or(Path::new("."));
    let program = folder.join(format!("examples/{name}{}", env::consts::EXE_SUFFIX));
    let missing = "is missing: run `cargo test` without `--test`, or with `--examples`";
    assert!(program.exists(), "{} {missing}", program.display());
    program.to_string_lossy().into_owned()
}
