//! What `cargo run -p step08-join-handle` prints.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_step08-join-handle");
    // The time of a computation has no bound.
    let parts = [4, 5, 6, 7];
    kit::transcript::check_in_parts("tests/transcript.txt", &parts, program, &[0.0, 0.0]);
}
