//! What `cargo run -p step06-reactor` prints, and that no timer is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_step06-reactor");
    let earliest = [100.0, 300.0, 300.0, 100.0, 200.0, 200.0];
    kit::transcript::check_in_parts("tests/transcript.txt", &[5], program, &earliest);
}
