//! What `cargo run -p step07-mini-tokio` prints, and that no delay is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_step07-mini-tokio");
    let earliest = [120.0, 120.0, 10.0];
    kit::transcript::check("tests/transcript.txt", program, &earliest);
}
