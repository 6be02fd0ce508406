//! What the documents' own programs print, as the book shows it.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn executor_2() {
    kit::example::prints("executor_2", include_str!("documents/executor_2.txt"));
}
