//! What the documents' own programs print, as the book shows it.

// Miri starts no programs.
#![cfg(not(miri))]

use kit::transcript::check;

#[test]
fn inside_async_my_future() {
    let program = env!("CARGO_BIN_EXE_inside_async_my_future");
    check("tests/documents/inside_async_my_future.txt", program, &[]);
}
