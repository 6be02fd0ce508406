//! What the documents' own programs print, as the book shows it.

// Miri starts no programs.
#![cfg(not(miri))]

use kit::{example::program, transcript::check};

#[test]
fn executor_2() {
    check(
        "tests/documents/executor_2.txt",
        &program("executor_2"),
        &[],
    );
}
