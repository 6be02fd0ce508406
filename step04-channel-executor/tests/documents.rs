//! What the documents' own programs print, as the book shows it.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn future_and_scheduling() {
    kit::example::prints(
        "future_and_scheduling",
        include_str!("documents/future_and_scheduling.txt"),
    );
}

#[test]
fn inside_async() {
    kit::example::prints("inside_async", include_str!("documents/inside_async.txt"));
}

#[test]
fn inside_async_pictures() {
    kit::example::prints(
        "inside_async_pictures",
        include_str!("documents/inside_async_pictures.txt"),
    );
}
