//! What `cargo run -p step08-join-handle` prints.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_step08-join-handle");
    // The time of a computation has no bound.
    kit::transcript::check("tests/transcript.txt", program, &[0.0, 0.0]);
}
