//! What the documents' own programs print, as the book shows it.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn inside_async_my_future() {
    kit::example::prints(
        "inside_async_my_future",
        include_str!("documents/inside_async_my_future.txt"),
    );
}
