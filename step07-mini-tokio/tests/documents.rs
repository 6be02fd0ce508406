//! What the documents' own programs print, as the book shows it.

// Miri starts no programs.
#![cfg(not(miri))]

use kit::transcript::check;

#[test]
fn async_in_depth() {
    let program = env!("CARGO_BIN_EXE_async_in_depth");
    check("tests/documents/async_in_depth.txt", program, &[]);
}
