//! What the documents' own programs print, as the book shows it.

// Miri starts no programs.
#![cfg(not(miri))]

use kit::transcript::check;

#[test]
fn parker_and_reactor() {
    let program = env!("CARGO_BIN_EXE_parker_and_reactor");
    check(
        "tests/documents/parker_and_reactor.txt",
        program,
        &[1.0, 3.0],
    );
}
