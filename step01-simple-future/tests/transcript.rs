//! What `cargo run -p step01-simple-future` prints.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_step01-simple-future");
    kit::transcript::check_in_parts("tests/transcript.txt", &[3, 4], program, &[0.0, 0.0]);
}
