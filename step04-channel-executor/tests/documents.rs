//! What the documents' own programs print, as the book shows it.

// Miri starts no programs.
#![cfg(not(miri))]

mod pictures;

use kit::transcript::check;

#[test]
fn future_and_scheduling() {
    let program = env!("CARGO_BIN_EXE_future_and_scheduling");
    check("tests/documents/future_and_scheduling.txt", program, &[]);
}

#[test]
fn inside_async() {
    let program = env!("CARGO_BIN_EXE_inside_async");
    check("tests/documents/inside_async.txt", program, &[]);
}
