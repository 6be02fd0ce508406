//! What the documents' own programs print, as the book shows it.

// Miri starts no programs.
#![cfg(not(miri))]

use kit::{example::program, transcript::check};

#[test]
fn parker_and_reactor() {
    check(
        "tests/documents/parker_and_reactor.txt",
        &program("parker_and_reactor"),
        &[1.0, 3.0],
    );
}
