//! What `cargo run -p step01-simple-future` prints, and that nothing is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_step01-simple-future");
    kit::transcript::check("tests/transcript.txt", program, &[600.0, 500.0]);
}
