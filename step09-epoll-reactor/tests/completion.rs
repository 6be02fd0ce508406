//! What `cargo run -p step09-epoll-reactor --bin completion` prints.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_completion");
    kit::transcript::check_bin::<0>(env!("CARGO_PKG_NAME"), "completion", program, &[]);
}
