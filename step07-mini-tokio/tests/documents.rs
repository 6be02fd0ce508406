//! What the documents' own programs print, as the book shows it.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn async_in_depth() {
    kit::example::prints(
        "async_in_depth",
        include_str!("documents/async_in_depth.txt"),
    );
}
