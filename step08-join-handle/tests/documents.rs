//! What the documents' own programs print, as the book shows it.

// Miri starts no programs.
#![cfg(not(miri))]

use kit::transcript::check;

#[test]
fn executor_2() {
    let program = env!("CARGO_BIN_EXE_executor_2");
    check("tests/documents/executor_2.txt", program, &[]);
}
