//! What `cargo run -p step04-channel-executor` prints, and that no timer is early.

// Miri starts no programs.
#![cfg(not(miri))]

#[test]
fn the_demo_prints_this_and_ends() {
    let program = env!("CARGO_BIN_EXE_step04-channel-executor");
    let earliest = 400.0;
    kit::transcript::check_in_parts("tests/transcript.txt", &[2, 3, 4, 5], program, &[earliest]);
}
