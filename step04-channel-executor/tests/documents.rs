//! What the documents' own programs print, as the book shows it.

// Miri starts no programs.
#![cfg(not(miri))]

use kit::{example::program, transcript::check};

#[test]
fn future_and_scheduling() {
    check(
        "tests/documents/future_and_scheduling.txt",
        &program("future_and_scheduling"),
        &[],
    );
}

#[test]
fn inside_async() {
    check(
        "tests/documents/inside_async.txt",
        &program("inside_async"),
        &[],
    );
}

#[test]
fn inside_async_pictures() {
    check(
        "tests/documents/inside_async_pictures.txt",
        &program("inside_async_pictures"),
        &[],
    );
}
