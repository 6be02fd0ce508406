//! What `cargo run -p step09-epoll-reactor --bin completion` prints.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    kit::transcript::check(
        "tests/completion.txt",
        env!("CARGO_BIN_EXE_completion"),
        &[],
    );
}
