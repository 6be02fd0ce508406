//! What `cargo run -p step05-parker-block-on` prints, and that no timer is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_step05-parker-block-on");
    let earliest = [100.0, 100.0, 100.0, 40.0, 100.0];
    kit::transcript::check_in_parts("tests/transcript.txt", &[3, 5], program, &earliest);
}
