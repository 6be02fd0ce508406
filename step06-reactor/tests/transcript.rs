//! What `cargo run -p step06-reactor` prints, and that no timer is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_step06-reactor");
    // Seconds, and a part's milliseconds.
    let earliest = [1.0, 3.0, 3000.0, 1.0, 2.0, 2000.0, 100.0, 100.0];
    kit::transcript::check("tests/transcript.txt", program, &earliest);
}
